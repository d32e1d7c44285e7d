/** What the cards and forms of the builder share. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Fix, Lane, NodePath, Problem, Workflow } from '../../../contract/index.ts'
import { NO_NAMES, type SiteNames } from './names.ts'

export interface Building {
  workflow: Workflow
  /** The panel that opens next leaves the focus where it is. */
  quiet: { current: boolean }
  /** By card. */
  wrong: ReadonlyMap<string, readonly Problem[]>
  names: SiteNames
  /** What is open at the side. */
  picked: string | null
  pick(node: string | null): void
  /** The step that looks for a place. */
  moving: NodePath | null
  move(path: NodePath | null): void
  /**
   * The text as it is becomes that; null: it could not be made so, and that is said. `gone`: what went by it, which
   * can be brought back.
   */
  edit(change: (text: string) => string | null, gone?: string): boolean
  fix(fix: Fix): void
  /** Puts what moves, or a new one, before a step of a path. */
  put(lane: Lane, index: number): void
  /** One up or down its path. */
  shift(path: NodePath, by: -1 | 1): void
  remove(node: string): void
  /** The same once more, behind it. */
  copy(path: NodePath): void
  toText(path: string): void
  /** The panel stands beside the flow; else below its card. */
  wide: boolean
}

const nothing = () => undefined

export const Site = createContext<Building>({
  workflow: {
    ...{ contract: 'workflow.v1', name: '', state: 'test', limits: {} },
    ...{ when: { kind: 'button', params: {} }, if: [], then: [], always: [] },
  },
  quiet: { current: false },
  wrong: new Map(),
  names: NO_NAMES,
  picked: null,
  pick: nothing,
  moving: null,
  move: nothing,
  edit: () => false,
  fix: nothing,
  put: nothing,
  shift: nothing,
  remove: nothing,
  copy: nothing,
  toText: nothing,
  wide: false,
})

export const useBuilding = (): Building => useContext(Site)
