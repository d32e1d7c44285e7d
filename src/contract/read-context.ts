/** What is carried through while a file is read into its typed form. */
import type { Reporter } from './reporter.ts'
import type { Entry, Src } from './source.ts'
import type { Fix, NodePath } from './types.ts'

export class ReadContext {
  /** Where the paths of steps really stand: `then[0].delivery` is inside the map of `ai`. */
  readonly inside = new Map<NodePath, Src>()
  /** The same as paths: what YAML calls it, and what everybody else does. */
  readonly renamed: (readonly [yaml: string, node: NodePath])[] = []
  /** A node that gives values could not be read: nobody can say which values are missing. */
  valuesUnknown = false
  /** A trigger or condition could not be read: nobody can say what is guarded. */
  guardsUnknown = false

  constructor(
    readonly text: string,
    readonly reporter: Reporter,
  ) {}

  error(code: string, path: string, message: string, place: { from: number; to: number }, fix?: Fix): void {
    const { from, to } = place
    this.reporter.report({ severity: 'error', code, path, message, from, to, ...(fix && { fix }) })
  }

  /** The same, about a key. */
  keyError(code: string, path: string, message: string, { keyFrom, keyTo }: Entry, fix?: Fix): void {
    this.error(code, path, message, { from: keyFrom, to: keyTo }, fix)
  }
}
