/** Counters and gauges in the text form that Prometheus reads. */

export interface Metric {
  /** Without the prefix; counters end in `_total`. */
  name: string
  help: string
  type: 'counter' | 'gauge'
  values: { labels?: Record<string, string>; value: number }[]
}

/** One with a label, out of counts by that label's value. */
export function byLabel(
  name: string,
  help: string,
  type: Metric['type'],
  label: string,
  counts: Readonly<Record<string, number>>,
): Metric {
  return {
    ...{ name, help, type },
    values: Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value })),
  }
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(lines).join('')
}

function lines({ name, help, type, values }: Metric): string {
  const full = `gatehouse_${name}`
  const head = `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n`
  return head + values.map(({ labels, value }) => `${full}${braces(labels ?? {})} ${value}\n`).join('')
}

function braces(labels: Record<string, string>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length ? `{${all.join(',')}}` : ''
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
