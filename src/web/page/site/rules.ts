import { html } from 'htm/preact'
import { Together } from '../together.ts'
import { Facts } from './facts.ts'
import { ModeNow } from './mode.ts'
import { Modes } from './modes.ts'
import type { SectionProps } from './section.ts'
import { Tools } from './tools.ts'
import { RuleVersions } from './versions.ts'

/** Facts, modes and what AI may use here; and who changed any of the site's rules. */
export function Section({ state }: SectionProps) {
  return html`
    <${Together}>
      <${ModeNow} />
      <${Facts} />
      <${Modes} />
      <${Tools} />
      <${RuleVersions} zone=${state.zone} />
    </${Together}>
  `
}
