/** What a draft makes of the last events, and what the version in force makes of them. */
import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../language.ts'
import type { TryBesideProps } from '../try-beside.ts'
import { Event } from './event.ts'
import { type About, type ComparedEvent, watchTry } from './watch.ts'
import { say, sayCount, sayTerm } from './words.ts'

/** Triggers whose events are one workflow's own. */
const OWN = ['button', 'webhook', 'schedule', 'message']

export function Tryout({ id, text, errors, zone = 'UTC' }: TryBesideProps) {
  const [about, setAbout] = useState<About | null>(null)
  const [tried, setTried] = useState<ComparedEvent[]>([])
  const [going, setGoing] = useState<AbortController | null>(null)
  const [ended, setEnded] = useState<'done' | 'stopped' | null>(null)
  const [problem, setProblem] = useState('')
  // What was tried: what is written since is not.
  const [of, setOf] = useState('')
  const last = useRef<AbortController>(null)
  useEffect(() => () => last.current?.abort(), [])

  const start = async () => {
    const control = new AbortController()
    last.current = control
    setGoing(control)
    setEnded(null)
    setAbout(null)
    setTried([])
    setProblem('')
    setOf(text)
    try {
      const hears = { begins: setAbout, tried: (one: ComparedEvent) => setTried(all => [...all, one]) }
      await watchTry({ id, text }, control.signal, hears)
      setEnded(control.signal.aborted ? 'stopped' : 'done')
    } catch (error) {
      setProblem((error as Error).message)
    }
    setGoing(null)
  }

  const shown = going ? tried : [...tried].sort((a, b) => Number(b.flipped ?? 0) - Number(a.flipped ?? 0))
  const compared = about !== null && about.version !== null
  return html`
    <p class="meta">${say('tryout.why')}</p>
    <p class="tools">
      ${
        going
          ? html`<button type="button" onClick=${() => going.abort()}>${say('tryout.stop')}</button>`
          : html`<button type="button" class="main" disabled=${errors > 0} onClick=${start}>
              ${say(ended || problem ? 'tryout.again' : 'tryout.start')}
            </button>`
      }
      ${errors > 0 && html`<span class="meta">${say('tryout.mend')}</span>`}
    </p>
    ${going && html`<${Progress} about=${about} done=${tried.length} />`}
    <p class="summary" role="status">
      ${ended && tried.length > 0 && summary(tried, compared)}
      ${ended === 'stopped' && html`${' '}<span class="meta">${say('tryout.stopped')}</span>`}
    </p>
    ${ended && of !== text && html`<p class="hint">${say('tryout.changed')}</p>`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${ended === 'done' && about && !tried.length && html`<p class="none">${nothing(id, about.trigger)}</p>`}
    ${
      shown.length > 0 &&
      html`<ol class="tried">
        ${shown.map(one => html`<li key=${one.event.id}><${Event} one=${one} compared=${compared} zone=${zone} /></li>`)}
      </ol>`
    }
  `
}

function Progress({ about, done }: { about: About | null; done: number }) {
  if (!about) return html`<p class="meta">${say('tryout.starting')}</p>`
  return html`
    <p class="progress">
      <progress max=${Math.max(about.of, 1)} value=${done} aria-label=${t('tryout.title')}></progress>
      <span class="meta">${say('tryout.progress', { n: done, of: about.of })}</span>
    </p>
  `
}

function summary(tried: readonly ComparedEvent[], compared: boolean): string {
  if (!compared) return sayCount('tryout.tried', tried.length)
  const flips = tried.filter(({ flipped }) => flipped).length
  return flips
    ? sayCount('tryout.differ', flips, { of: tried.length })
    : sayCount('tryout.same', tried.length)
}

/** What to do where there is nothing to try it on. */
function nothing(id: number | null, trigger: string): string {
  if (id === null && OWN.includes(trigger)) return say('tryout.none_new')
  return sayTerm(`tryout.none_${trigger}`) ?? say('tryout.none')
}
