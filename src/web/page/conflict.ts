import { html } from 'htm/preact'
import { Diff } from './diff.ts'
import { t } from './language.ts'

interface ConflictProps {
  theirs: { version: number; file: string }
  mine: string
  take(mine: boolean): void
}

/** Somebody else saved a version meanwhile: both are shown, and nothing is lost before one is chosen. */
export function Conflict({ theirs, mine, take }: ConflictProps) {
  return html`
    <section class="attention conflict" role="alert" aria-labelledby="conflict">
      <h2 id="conflict">${t('conflict.title', { n: theirs.version })}</h2>
      <p>${t('conflict.why')}</p>
      <${Diff} before=${theirs.file} after=${mine} />
      <p class="tools">
        <button type="button" onClick=${() => take(true)}>${t('conflict.mine')}</button>
        <button type="button" onClick=${() => take(false)}>${t('conflict.theirs', { n: theirs.version })}</button>
      </p>
    </section>
  `
}
