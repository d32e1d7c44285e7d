import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { clock } from '../words.ts'
import { getLog, type LogLine, logQuery } from './api.ts'
import { say, sayTerm } from './words.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
const AGAIN_MS = 2_000
/** A text that is being typed is looked for once it stands for this long. */
const TYPED_MS = 300
const MOST = 1_000

/** The last lines of the log, followed while it is open. */
export function Log({ zone }: { zone: string }) {
  const [open, setOpen] = useState(false)
  return html`
    <section aria-labelledby="log">
      <h2 id="log">${say('log.title')}</h2>
      <p class="meta">${say('log.about')}</p>
      <details onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
        <summary>${say('log.lines')}</summary>
        ${open && html`<${Lines} zone=${zone} />`}
      </details>
    </section>
  `
}

function Lines({ zone }: { zone: string }) {
  const [least, setLeast] = useState('info')
  const [text, setText] = useState('')
  const { lines, level, problem } = useLog(logQuery(least, text))
  const list = useRef<HTMLOListElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    // Whoever scrolled up reads there.
    if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight
  }, [lines])
  const scrolled = (event: Event) => {
    const { scrollTop, scrollHeight, clientHeight } = event.target as HTMLElement
    atEnd.current = scrollHeight - scrollTop - clientHeight < 24
  }
  return html`
    ${level === 'debug' && html`<p class="attention">${say('log.debug')}</p>`}
    <div class="log-filter">
      <label class="field">
        <span>${say('log.level')}</span>
        <select value=${least} onChange=${(event: Event) => setLeast((event.target as HTMLSelectElement).value)}>
          ${LEVELS.filter(each => each !== 'debug' || level === 'debug').map(
            each => html`<option key=${each} value=${each}>${say(`level.${each}`)}</option>`,
          )}
        </select>
      </label>
      <label class="field">
        <span>${say('log.text')}</span>
        <input
          type="search"
          value=${text}
          autocomplete="off"
          onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)}
        />
      </label>
      <a class="button" href=${`/api/v1/system/log/file?${logQuery(least, text)}`} download>${say('log.download')}</a>
    </div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <ol class="log" ref=${list} tabindex="0" aria-label=${say('log.lines')} onScroll=${scrolled}>
      ${lines.map(line => html`<${Line} key=${line.seq} line=${line} zone=${zone} />`)}
      ${lines.length === 0 && html`<li class="meta">${say('log.none')}</li>`}
    </ol>
  `
}

function Line({ line: { at, level, message, more }, zone }: { line: LogLine; zone: string }) {
  return html`
    <li class=${level}>
      <time>${clock(at, zone)}</time> <strong>${sayTerm(`level.${level}`) ?? level}</strong> ${message}
      ${more && html` <code>${more}</code>`}
    </li>
  `
}

/** Those that were there, and those that come. */
function useLog(query: string): { lines: readonly LogLine[]; level: string; problem: string } {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const [level, setLevel] = useState('info')
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let [after, open] = [0, true]
    let timer: number
    const look = async () => {
      try {
        if (!document.hidden) {
          const found = await getLog(query, after)
          if (!open) return
          // A box that was started anew counts from the beginning.
          const fresh = after === 0 || found.last < after
          if (fresh || found.lines.length)
            setLines(before => [...(fresh ? [] : before), ...found.lines].slice(-MOST))
          after = found.last < after ? 0 : found.last
          setLevel(found.level)
          setProblem('')
        }
      } catch (error) {
        setProblem((error as Error).message)
      }
      if (open) timer = window.setTimeout(look, AGAIN_MS)
    }
    timer = window.setTimeout(look, TYPED_MS)
    return () => {
      open = false
      window.clearTimeout(timer)
    }
  }, [query])
  return { lines, level, problem }
}
