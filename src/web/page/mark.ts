import { html } from 'htm/preact'
import { useEffect } from 'preact/hooks'
import type { RunView } from './api.ts'
import { typing } from './keys.ts'
import { t } from './language.ts'
import { Barred, useMay } from './may.ts'

/** Right or wrong: what a person says of an ended run, by button or by the keys r and w. */
export function Mark({ run, mark }: { run: RunView; mark(right: boolean): void }) {
  const may = useMay('approve')
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!may || typing(event)) return
      if (event.key === 'r' || event.key === 'w') mark(event.key === 'r')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  const said = run.marks.at(-1)?.right
  return html`
    <div class="mark-run" role="group" aria-label=${t('mark.ask')}>
      <span class="ask">${t('mark.ask')}</span>
      <button type="button" disabled=${!may} aria-pressed=${said === true} aria-keyshortcuts="r" onClick=${() => mark(true)}>
        ${t('mark.right')} <kbd aria-hidden="true">r</kbd>
      </button>
      <button type="button" disabled=${!may} aria-pressed=${said === false} aria-keyshortcuts="w" onClick=${() => mark(false)}>
        ${t('mark.wrong')} <kbd aria-hidden="true">w</kbd>
      </button>
      <span class="said" role="status">
        ${run.marks.map(({ by, right, note }) => t('mark.says', { verdict: t(right ? 'mark.right' : 'mark.wrong'), by }) + (note ? `: ${note}` : '')).join(' · ')}
      </span>
      <${Barred} from="approve" />
      ${said !== undefined && html`<span class="meta">${t('mark.case')}</span>`}
    </div>
  `
}
