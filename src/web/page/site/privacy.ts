import { html } from 'htm/preact'
import { t } from '../language.ts'
import { bytes } from '../words.ts'
import type { SectionProps } from './section.ts'
import { say } from './words.ts'

/** What is kept of what the cameras saw. */
export function Section({ state: { storage } }: SectionProps) {
  const size = (count: number | null) => (count === null ? t('box.unknown') : bytes(count))
  return storage
    ? html`<p>${say('privacy.kept', { stored: size(storage.stored_bytes), free: size(storage.free_bytes) })}</p>`
    : html`<p class="none">${t('app.loading')}</p>`
}
