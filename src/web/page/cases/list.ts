import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useMay } from '../may.ts'
import { clock } from '../words.ts'
import { type CaseView, exportOf, getCases, pictureOf, removeCase, tryCases } from './at-box.ts'
import { named } from './make.ts'
import { say, sayCount } from './words.ts'

interface CaseListProps {
  workflow: number
  zone: string
}

/** The cases of a workflow, each with what is right and what came of it last. */
export function CaseList({ workflow, zone }: CaseListProps) {
  const [cases, setCases] = useState<CaseView[] | null>(null)
  const [problem, setProblem] = useState('')
  const [going, setGoing] = useState<{ done: number; of: number; stop: AbortController } | null>(null)
  const [said, setSaid] = useState('')
  const manages = useMay('manage')
  const last = useRef<AbortController>(null)
  const failed = (error: Error) => setProblem(error.message)
  const load = () => getCases(workflow).then(setCases, failed)
  useEffect(() => {
    load()
    return () => last.current?.abort()
  }, [workflow])

  const tryAll = async () => {
    const stop = new AbortController()
    last.current = stop
    setProblem('')
    setSaid('')
    setGoing({ done: 0, of: cases?.length ?? 0, stop })
    let [right, done] = [0, 0]
    try {
      await tryCases(workflow, stop.signal, ({ begins, tried }) => {
        if (tried) done++
        if (tried?.right) right++
        setGoing(now => now && { ...now, done, of: begins?.of ?? now.of })
      })
      setSaid(sayCount('cases.tried', done, { right }))
    } catch (error) {
      if (!stop.signal.aborted) failed(error as Error)
    }
    setGoing(null)
    await load()
  }
  const remove = (id: number) => removeCase(workflow, id).then(load, failed)

  if (!cases) return problem ? html`<p class="problem" role="alert">${problem}</p>` : null
  if (!cases.length) return html`<p class="none">${say('cases.none')}</p>`
  return html`
    <p class="meta">${say('cases.why')}</p>
    <p class="tools">
      ${
        manages &&
        (going
          ? html`<button type="button" onClick=${() => going.stop.abort()}>${say('cases.stop')}</button>
              <progress max=${Math.max(going.of, 1)} value=${going.done} aria-label=${say('cases.trying')}></progress>
              <span class="meta">${going.done} / ${going.of}</span>`
          : html`<button type="button" onClick=${tryAll}>${say('cases.try')}</button>
              <a href=${exportOf(workflow)} download>${say('cases.download')}</a>`)
      }
    </p>
    <p role="status">${said}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <ul class="cases">
      ${cases.map(
        one => html`<li key=${one.id}>
          <${Case} one=${one} workflow=${workflow} zone=${zone} remove=${manages && !going ? () => remove(one.id) : null} />
        </li>`,
      )}
    </ul>
  `
}

interface CaseProps {
  one: CaseView
  workflow: number
  zone: string
  remove: (() => void) | null
}

function Case({
  one: { id, run, at, camera, expected, note, by, pictures, last },
  workflow,
  zone,
  remove,
}: CaseProps) {
  const [sure, setSure] = useState(false)
  return html`
    ${
      pictures > 0
        ? html`<img class="thumb" src=${pictureOf(workflow, id)} alt="" loading="lazy" decoding="async" />`
        : html`<span class="thumb"></span>`
    }
    <div class="what">
      <p class="headline">
        <strong>${say('cases.should', { what: named(expected) })}</strong>
        ${last && html`<span class=${`tag ${last.right ? 'done' : 'failed'}`}>${say(last.right ? 'cases.is_right' : 'cases.is_wrong')}</span>`}
      </p>
      <p>
        ${last ? say('cases.last', { what: last.decision === null ? say('cases.nothing') : named(last.decision) }) : say('cases.never')}
        ${last?.version != null && html`${' '}<span class="meta">${say('cases.version', { n: last.version })}</span>`}
      </p>
      ${note && html`<p class="reason">${note}</p>`}
      <p class="meta">
        <time datetime=${at}>${clock(at, zone)}</time>
        ${camera && html`<span>${camera}</span>`}
        <span>${say('cases.by', { by })}</span>
        ${run !== null && html`<a href=${`/runs/${run}`}>${say('cases.run')}</a>`}
      </p>
      ${
        remove &&
        (sure
          ? html`<p class="tools">
              <span>${say('cases.sure')}</span>
              <button type="button" class="danger" onClick=${remove}>${say('cases.remove')}</button>
              <button type="button" onClick=${() => setSure(false)}>${say('cases.keep')}</button>
            </p>`
          : html`<button type="button" class="small" aria-label=${say('cases.remove_of', { at: clock(at, zone) })} onClick=${() => setSure(true)}>
              ${say('cases.remove')}
            </button>`)
      }
    </div>
  `
}
