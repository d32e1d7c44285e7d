import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { getRun, type NoticeView, pictureUrl, settleRun } from './api.ts'
import { t, term } from './language.ts'
import { Barred, useMay } from './may.ts'
import { whom } from './questions.ts'
import { said } from './said.ts'
import type { State, Store } from './state.ts'
import { lastSeen, rememberSeen } from './told.ts'
import { clock, label } from './words.ts'

/** Shown before somebody asks for more. */
const FEW = 4
const MORE = 20

/** Moves of which nobody knows, then what the box told people, newest first. */
export function Notices({ store, state }: { store: Store; state: State }) {
  const { notices, olderNotices, zone } = state
  const [most, setMost] = useState(FEW)
  const [problem, setProblem] = useState('')
  const [seen] = useState(lastSeen)
  const newest = notices[0]?.id ?? 0
  useEffect(() => {
    if (document.visibilityState === 'visible') rememberSeen(newest)
  }, [newest])
  if (!notices.length) return null

  const unsettled = notices.filter(it => it.unsettled)
  const told = notices.filter(it => !it.unsettled)
  const more = async () => {
    setProblem('')
    try {
      if (told.length < most + MORE) await store.loadOlderNotices()
      setMost(most + MORE)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return html`
    <section class="notices" aria-labelledby="told">
      <h2 id="told">
        ${t('told.title')}
        ${unsettled.length > 0 && html`<span class="tag unknown">${t('told.to_settle', { n: unsettled.length })}</span>`}
      </h2>
      ${
        unsettled.length > 0 &&
        html`<ul class="unsettled" aria-label=${t('told.settle')}>
          ${unsettled.map(it => html`<li key=${it.id}><${Unsettled} notice=${it} store=${store} zone=${zone} /></li>`)}
        </ul>`
      }
      ${
        told.length > 0 &&
        html`<ol class="told">
          ${told
            .slice(0, most)
            .map(
              it =>
                html`<li key=${it.id}><${Line} notice=${it} zone=${zone} fresh=${it.id > seen && !it.over} /></li>`,
            )}
        </ol>`
      }
      ${
        (told.length > most || olderNotices !== null) &&
        html`<p class="older"><button type="button" onClick=${more}>${t('told.more')}</button></p>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </section>
  `
}

/** A move of which nobody knows whether it happened: somebody looks, and says so. */
function Unsettled({ notice, store, zone }: { notice: NoticeView; store: Store; zone: string }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const may = useMay('approve')
  const { run, step } = notice
  const settle = async (happened: boolean) => {
    if (run === null || step === null) return
    setBusy(true)
    setProblem('')
    try {
      store.keepSettled(await settleRun(run, happened, step))
    } catch (error) {
      setProblem((error as Error).message)
      // Somebody was faster, perhaps.
      const view = await getRun(run).catch(() => null)
      if (view) store.keepSettled(view)
    }
    setBusy(false)
  }
  return html`
    <article class="attention" aria-label=${said(notice.title)}>
      <p><strong>${said(notice.title)}</strong></p>
      ${notice.body && html`<p>${said(notice.body)}</p>`}
      <${Meta} notice=${notice} zone=${zone} linked />
      ${
        may &&
        html`<p>
          <button type="button" disabled=${busy} onClick=${() => settle(true)}>${t('told.happened')}</button>
          <button type="button" disabled=${busy} onClick=${() => settle(false)}>${t('told.not_happened')}</button>
        </p>`
      }
      <${Barred} from="approve" />
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </article>
  `
}

function Line({ notice, zone, fresh }: { notice: NoticeView; zone: string; fresh: boolean }) {
  const { run, media, clip, severity, title, body, over } = notice
  const inside = html`
    ${media !== null && html`<img class="thumb" src=${pictureUrl(media)} alt="" loading="lazy" decoding="async" />`}
    <span class="what">
      <span class="headline">
        <span class=${`tag ${severity}`}>${term('severity', severity) ?? label(severity)}</span>
        ${(fresh || over) && html`<span class=${`tag ${over ? '' : 'fresh'}`}>${t(over ? 'told.over' : 'told.new')}</span>`}
        ${clip !== null && html`<span class="tag">${t('told.clip')}</span>`}
        <strong>${said(title)}</strong>
      </span>
      ${body && html`<span class="reason">${said(body)}</span>`}
      <${Meta} notice=${notice} zone=${zone} linked=${false} />
    </span>
  `
  return run === null
    ? html`<div class="run">${inside}</div>`
    : html`<a class="run" href=${`/runs/${run}`}>${inside}</a>`
}

/** When, what sort, for whom, and out of which workflow. */
function Meta({ notice, zone, linked }: { notice: NoticeView; zone: string; linked: boolean }) {
  const { at, kind, audience, camera_id, workflow, run } = notice
  const audienceWords =
    audience === null
      ? t('told.notification')
      : t('told.notification_for', { who: whom(audience.split(', ')) })
  return html`
    <span class="meta">
      <time datetime=${at}>${clock(at, zone)}</time>
      <span>${kind === 'alert' ? t('told.alert') : audienceWords}</span>
      ${camera_id !== null && html`<span>${camera_id}</span>`}
      ${workflow && html`<span>${workflow.name}</span>`}
      ${linked && run !== null && html`<a href=${`/runs/${run}`}>${t('inbox.show_run')}</a>`}
    </span>
  `
}
