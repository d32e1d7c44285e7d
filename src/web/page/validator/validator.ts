import { html } from 'htm/preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deedsOf, type Fix, type Problem, parse } from '../../../contract/index.ts'
import { Editor } from '../editor/index.ts'
import { Cards } from '../flow/cards.ts'
import { speaker, t } from '../language.ts'
import { Does } from '../outline.ts'
import { Problems } from '../problems.ts'
import { validator as de } from '../words/de/validator.ts'
import { validator as en } from '../words/en/validator.ts'
import { EXAMPLE } from './example.ts'

const { say, sayCount } = speaker({ en, de })

/** As much of a file as a box takes. */
const MOST_BYTES = 64 * 1024

/** A file that is pasted, dropped or chosen: what is wrong with it, what it would do, how it runs. */
export function Validator() {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [text, setText] = useState('')
  const [news, setNews] = useState('')

  useEffect(() => {
    document.title = `${say('title')} · Gatehouse`
    if (!host.current) return
    const own = new Editor(host.current, { text: '', label: t('editor.label'), onChange: setText })
    editor.current = own
    return () => own.close()
  }, [])

  const take = async (file: File | undefined) => {
    if (!file) return
    const taken = await textOf(file)
    if ('problem' in taken) return setNews(taken.problem)
    editor.current?.set(taken.text)
    setNews(say('took', { name: file.name }))
  }
  useDrop(take)

  const { workflow, problems } = useMemo(() => parse(text), [text])
  useEffect(() => editor.current?.show(text.trim() === '' ? [] : problems), [problems])
  const deeds = useMemo(() => workflow && deedsOf(workflow), [workflow])

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setNews(say('copied')),
      () => setNews(say('not_copied')),
    )
  const isEmpty = text.trim() === ''
  return html`
    <header><span class="brand">Gatehouse</span></header>
    <main id="main" class="validator">
      <h1>${say('title')}</h1>
      <p class="meta">${say('about')}</p>
      <section aria-labelledby="file">
        <h2 id="file">${say('file')}</h2>
        <p>${say('paste')}</p>
        <p class="tools">
          <label class="button">
            <span>${say('choose')}</span>
            <input
              type="file"
              class="unseen"
              accept=".yaml,.yml,application/yaml,text/yaml"
              onChange=${(event: Event) => take((event.target as HTMLInputElement).files?.[0])}
            />
          </label>
          <button type="button" onClick=${() => editor.current?.set(EXAMPLE)}>${say('example')}</button>
          <button type="button" disabled=${isEmpty} onClick=${copy}>${say('copy')}</button>
          <button type="button" onClick=${() => editor.current?.undo()}>${t('editor.undo')}</button>
        </p>
        <p class="meta" role="status">${news}</p>
        <div class="editor" ref=${host}></div>
      </section>
      ${
        !isEmpty &&
        html`
          <${Verdict} problems=${problems} />
          <${Problems}
            problems=${problems}
            goTo=${(one: Problem) => editor.current?.goTo(one)}
            fix=${({ fix }: { fix?: Fix }) => fix && editor.current?.apply(fix)}
          />
          <section aria-labelledby="does">
            <h2 id="does">${say('does')}</h2>
            ${deeds ? html`<${Does} outline=${deeds} /><p class="meta">${say('does_why')}</p>` : html`<p class="meta">${say('broken')}</p>`}
          </section>
          ${
            workflow &&
            html`<section aria-labelledby="flow">
              <h2 id="flow">${say('flow')}</h2>
              <${Cards} workflow=${workflow} problems=${problems} />
            </section>`
          }
        `
      }
    </main>
  `
}

function Verdict({ problems }: { problems: readonly Problem[] }) {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const words = errors ? sayCount('errors', errors) : say(problems.length ? 'holds_but' : 'holds')
  return html`<p class=${`verdict ${errors ? 'bad' : 'good'}`} role="status">${words}</p>`
}

/** The text of a file that somebody brought, or why there is none. */
async function textOf(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MOST_BYTES) return { problem: say('large', { kb: MOST_BYTES / 1024 }) }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { problem: say('not_text') }
  }
}

/** Takes a file that is dropped anywhere. */
function useDrop(take: (file: File | undefined) => void): void {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      take(event.dataTransfer?.files[0])
    }
    window.addEventListener('dragover', over)
    // Before the editor takes it for text.
    window.addEventListener('drop', drop, true)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop, true)
    }
  }, [])
}
