import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricsText } from '../../src/web/metrics.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
  box.engine.add(workflowView(1))
  box.engine.tell()
})
afterAll(() => box.stop())

const call = (path: string) => fetch(`http://127.0.0.1:${box.port}${path}`)

describe('/metrics', () => {
  it('is text that Prometheus reads', async () => {
    const response = await call('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('# HELP gatehouse_runs Runs.\n# TYPE gatehouse_runs gauge\ngatehouse_runs 3\n')
    expect(text).toContain('\ngatehouse_shed_total{reason="queue_full"} 2\n')
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) gatehouse_[a-z_]+ .+|gatehouse_[a-z_]+(\{[a-z]+="[^"\n]*"\})? \d+)$/,
      )
  })

  it('lets no label out of its quotes', () => {
    const values = [{ labels: { reason: 'a"b\\c\nd' }, value: 1 }]
    expect(metricsText([{ name: 'x', help: 'X.', type: 'counter', values }])).toBe(
      '# HELP gatehouse_x X.\n# TYPE gatehouse_x counter\ngatehouse_x{reason="a\\"b\\\\c\\nd"} 1\n',
    )
  })
})
