import { html } from 'htm/preact'
import { useRef, useState } from 'preact/hooks'
import type { Refused } from '../api.ts'
import { type ListOutcome, lookAtCsv, setCsv } from './api.ts'
import { say, sayCount } from './words.ts'

/** As much of a file as is read: the box takes no larger one. */
const MOST_BYTES = 1024 * 1024

interface CsvInProps {
  name: string
  /** Something is changed and not saved: that would be lost. */
  barred: boolean
  done(): Promise<void>
}

/** A file that takes the place of a list: what it would change is shown first. */
export function CsvIn({ name, barred, done }: CsvInProps) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<{ text: string; name: string } | null>(null)
  const [outcome, setOutcome] = useState<ListOutcome | null>(null)
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const close = () => {
    setFile(null)
    setOutcome(null)
    if (input.current) input.current.value = ''
  }
  const look = async (text: string) => setOutcome(await lookAtCsv(name, text))
  const choose = async () => {
    const chosen = input.current?.files?.[0]
    if (!chosen) return
    setSaid('')
    setProblem('')
    setOutcome(null)
    try {
      if (chosen.size > MOST_BYTES) throw new Error(say('csv.large'))
      const text = await chosen.text()
      setFile({ text, name: chosen.name })
      await look(text)
    } catch (error) {
      setProblem((error as Error).message)
      close()
    }
  }
  const take = async () => {
    if (!file || !outcome) return
    setBusy(true)
    setProblem('')
    try {
      const { entries } = await setCsv(name, file.text, outcome.version)
      setSaid(sayCount('csv.taken', entries))
      close()
      await done()
    } catch (error) {
      // Somebody changed the rules since it was looked at: it is looked at again, and asked again.
      if ((error as Refused).code === 'rules_changed') {
        setProblem(say('csv.meanwhile'))
        await look(file.text).catch((other: Error) => setProblem(other.message))
      } else setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return html`
    <label class="field">
      <span>${say('csv.in')}</span>
      <input ref=${input} type="file" accept=".csv,text/csv,text/plain" disabled=${barred} onChange=${choose} />
    </label>
    ${barred && html`<p class="meta">${say('lists.first')}</p>`}
    ${
      file &&
      outcome &&
      html`<section class="card one" aria-labelledby="csv">
        <h3 id="csv">${say('csv.title', { file: file.name })}</h3>
        <p class="sums">
          <span class="tag done">+${outcome.added}</span>
          <span class="tag failed">−${outcome.removed}</span>
          ${outcome.noted > 0 && html`<span class="tag">${sayCount('lists.noted', outcome.noted)}</span>`}
          ${outcome.duplicates > 0 && html`<span class="tag waiting">${sayCount('csv.twice', outcome.duplicates)}</span>`}
        </p>
        <p class="meta">${sayCount('csv.then', outcome.entries)}</p>
        <${Some} title=${say('csv.added')} names=${outcome.first_added} of=${outcome.added} />
        <${Some} title=${say('csv.removed')} names=${outcome.first_removed} of=${outcome.removed} />
        <p class="choices">
          <button type="button" class="main" disabled=${busy} onClick=${take}>${say('csv.take')}</button>
          <button type="button" onClick=${close}>${say('csv.leave')}</button>
        </p>
      </section>`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <p role="status">${said}</p>
  `
}

function Some({ title, names, of }: { title: string; names: readonly string[]; of: number }) {
  if (!names.length) return null
  const more = of - names.length
  return html`
    <details>
      <summary>${title}</summary>
      <p class="named">${names.join(' · ')}${more > 0 && ` ${say('and_more', { n: more })}`}</p>
    </details>
  `
}
