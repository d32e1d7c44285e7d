import type { ComponentType } from 'preact'
import type { State } from '../state.ts'

/** What every section of the site's screens is given. */
export interface SectionProps {
  state: State
  /** What the address names in it; empty: nothing. */
  rest: string
}

/** What a file of a section brings. */
export interface SectionModule {
  Section: ComponentType<SectionProps>
}
