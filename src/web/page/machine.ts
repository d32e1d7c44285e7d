import { html } from 'htm/preact'
import { useEffect } from 'preact/hooks'
import { ask } from './api.ts'
import { useAsked } from './asked.ts'
import { Care, State } from './care/index.ts'
import { count, locale, t } from './language.ts'
import { Models, type ModelsSaid } from './models.ts'
import { said } from './said.ts'
import { Together } from './together.ts'
import { Updates } from './updates.ts'
import { bytes, clock, took } from './words.ts'

interface Health {
  version: string
  site_problem?: string | null
  connections?: Record<string, string>
  cameras?: { id: string; name: string; problem?: string | null; offline_since?: string | null }[]
  inference?: { state: string }
  clock?: { unset: boolean }
  storage: { free_bytes: number | null; stored_bytes: number | null }
}

interface Hardware {
  board?: string | null
  cpu?: { model: string | null; cores: number }
  ram_bytes?: number
  gpus?: { name: string; why: string }[]
  disk?: { path: string; kind: string; free_bytes: number | null }
  limits?: { calls: number; seconds: number }
  measured?: {
    at: string
    detect: { seconds: number } | null
    read: { seconds: number } | null
    language: { file: string; write_per_second: number; turn_seconds: number } | null
  } | null
  notes?: string[]
}

/** The box: what is wrong with it, what it is, how quick it is, and which models it has. */
export function MachinePage({ zone }: { zone: string }) {
  const { found, problem } = useAsked(() =>
    Promise.all([
      ask<Health>('/system/health'),
      ask<Hardware>('/system/hardware'),
      ask<ModelsSaid>('/system/models'),
    ]),
  )
  useEffect(() => {
    document.title = `${t('box.title')} · Gatehouse`
  }, [])
  const [health, hardware, models] = found ?? []
  return html`
    <div class="machine">
      <h1>${t('box.title')}</h1>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${!found && !problem && html`<p class="none">${t('app.loading')}</p>`}
      ${
        health &&
        hardware &&
        models &&
        html`<${Together}>
          <${Well} health=${health} notes=${hardware.notes ?? []} zone=${zone} />
          <${State} unset=${health.clock?.unset ?? false} />
          <${Updates} zone=${zone} />
          <${Made} hardware=${hardware} />
          <${Quick} hardware=${hardware} zone=${zone} />
          <${Models} models=${models} />
          <${Care} zone=${zone} />
        </${Together}>`
      }
    </div>
  `
}

function Well({ health, notes, zone }: { health: Health; notes: string[]; zone: string }) {
  const { site_problem, connections = {}, cameras = [], inference } = health
  const wrong = [
    ...(site_problem ? [t('box.site_problem', { why: said(site_problem) })] : []),
    ...Object.entries(connections).map(([name, why]) => `${name}: ${said(why)}`),
    ...cameras.flatMap(({ name, problem, offline_since }) => {
      const since = offline_since && t('box.offline_since', { at: clock(offline_since, zone) })
      const why = [problem && said(problem), since].filter(Boolean).join(', ')
      return why ? [t('box.camera', { name, why })] : []
    }),
    ...(inference?.state === 'backing_off' ? [t('box.eyes_off', { state: inference?.state ?? '' })] : []),
    ...notes.map(said),
  ]
  return html`
    <section aria-labelledby="health">
      <h2 id="health">${t('box.health')}</h2>
      ${
        wrong.length
          ? html`<ul class="wrong">${wrong.map(line => html`<li key=${line} class="attention">${line}</li>`)}</ul>`
          : html`<p>${t('box.well')}</p>`
      }
    </section>
  `
}

function Made({ hardware: { board, cpu, ram_bytes = 0, gpus = [], disk } }: { hardware: Hardware }) {
  const rows: [string, string][] = [
    [t('box.board'), board ?? t('box.unknown')],
    [
      t('box.processor'),
      [cpu?.model ?? t('box.unknown'), cpu && count('box.cores', cpu.cores)].filter(Boolean).join(', '),
    ],
    [t('box.memory'), ram_bytes ? bytes(ram_bytes) : t('box.unknown')],
    [t('box.graphics'), gpus.map(({ name, why }) => `${name}: ${said(why)}`).join('; ') || t('box.none')],
    [
      t('box.disk'),
      disk
        ? t('box.free', {
            free: disk.free_bytes === null ? t('box.unknown') : bytes(disk.free_bytes),
            path: disk.path,
          })
        : t('box.unknown'),
    ],
  ]
  return html`<section aria-labelledby="made"><h2 id="made">${t('box.hardware')}</h2><${Rows} rows=${rows} /></section>`
}

function Quick({ hardware: { measured, limits }, zone }: { hardware: Hardware; zone: string }) {
  const seconds = (what: { seconds: number } | null) =>
    what ? took(what.seconds * 1000) : t('sure.not_measured')
  const language = measured?.language
  const rows: [string, string][] = measured
    ? [
        [t('box.detect'), seconds(measured.detect)],
        [t('box.read'), seconds(measured.read)],
        [t('box.turn'), language ? took(language.turn_seconds * 1000) : t('sure.not_measured')],
        [
          t('box.write'),
          language
            ? t('box.per_second', {
                n: language.write_per_second.toLocaleString(locale, { maximumFractionDigits: 1 }),
              })
            : t('sure.not_measured'),
        ],
      ]
    : []
  return html`
    <section aria-labelledby="speed">
      <h2 id="speed">${t('box.speed')}</h2>
      ${measured ? html`<${Rows} rows=${rows} />` : html`<p>${t('box.not_measured')}</p>`}
      ${measured && html`<p class="meta">${t('box.measured_at', { at: clock(measured.at, zone) })}</p>`}
      ${limits && html`<p class="meta">${t('box.limits', { calls: limits.calls, seconds: limits.seconds })}</p>`}
    </section>
  `
}

/** Facts in two columns. */
function Rows({ rows }: { rows: readonly [string, string][] }) {
  return html`<dl class="facts rows">${rows.map(([name, text]) => html`<div key=${name}><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`
}
