import { html } from 'htm/preact'
import { Forget } from '../care/forget.ts'
import { t } from '../language.ts'
import { bytes } from '../words.ts'
import type { SectionProps } from './section.ts'
import { say } from './words.ts'

/** What is kept of what the cameras saw, and how something of it is forgotten. */
export function Section({ state: { storage, zone } }: SectionProps) {
  const size = (count: number | null) => (count === null ? t('box.unknown') : bytes(count))
  const kept = ({ stored_bytes: stored, free_bytes: free }: NonNullable<typeof storage>) =>
    stored === null
      ? say('privacy.counting', { free: size(free) })
      : say('privacy.kept', { stored: size(stored), free: size(free) })
  return html`
    ${storage ? html`<p>${kept(storage)}</p>` : html`<p class="none">${t('app.loading')}</p>`}
    <${Forget} zone=${zone} />
  `
}
