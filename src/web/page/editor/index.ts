/** The editor of workflow files: loaded when somebody opens one, since it is larger than the rest of the page. */
import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { editBetween, type Fix, type Problem, parse } from '../../../contract/index.ts'
import { said } from '../said.ts'
import { Completer } from './complete.ts'
import { look } from './look.ts'

export interface EditorOptions {
  text: string
  /** Names it for those who listen. */
  label: string
  onChange(text: string): void
}

/** Puts an editor into `host`. */
export class Editor {
  readonly #view: EditorView
  readonly #completer: Completer

  constructor(host: HTMLElement, { text, label, onChange }: EditorOptions) {
    // In a tree of its own its styles are objects, not inline: the page's policy forbids those.
    const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    this.#completer = new Completer(text)
    this.#view = new EditorView({
      parent: shadow,
      root: shadow,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of('  '),
          bracketMatching(),
          autocompletion({ override: [context => this.#completer.at(context)], icons: false }),
          yaml(),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          // Tab leaves the editor, as everywhere on the page.
          keymap.of([...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
          EditorView.updateListener.of(update => {
            if (update.docChanged) onChange(this.text)
          }),
        ],
      }),
    })
  }

  get text(): string {
    return this.#view.state.doc.toString()
  }

  /** Replaces all of it; that can be undone. */
  set(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } })
  }

  /** It becomes that by as little as goes, as one step that can be undone. */
  change(text: string): void {
    const edit = editBetween(this.text, text)
    this.#view.dispatch({ changes: edit, annotations: isolateHistory.of('full') })
  }

  /** Where a node stands. */
  locate(path: string): { line: number; column: number } {
    return parse(this.text).locate(path)
  }

  /** What the contract says of the text as it stands. */
  check(): Problem[] {
    const { problems } = parse(this.text)
    this.#completer.learn(this.text)
    return problems
  }

  /** Marks problems at their places; each with a fix offers it there. */
  show(problems: readonly Problem[]): void {
    const { doc } = this.#view.state
    const marks = problems.map((problem): Diagnostic => {
      const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines))
      const from = Math.min(line.from + Math.max(problem.column - 1, 0), line.to)
      const { fix } = problem
      return {
        ...{ from, to: line.to, severity: problem.severity, message: said(problem.message) },
        ...(fix && { actions: [{ name: said(fix.title), apply: () => this.apply(fix) }] }),
      }
    })
    this.#view.dispatch(setDiagnostics(this.#view.state, marks))
  }

  /** Makes the change that a problem offers, as one step that can be undone. */
  apply({ edits }: Fix): void {
    const { length } = this.#view.state.doc
    if (edits.some(({ from, to }) => from > to || to > length)) return
    this.#view.dispatch({
      changes: edits.map(({ from, to, insert }) => ({ from, to, insert })),
      annotations: isolateHistory.of('full'),
    })
  }

  goTo({ line, column }: { line: number; column: number }): void {
    const at = this.#view.state.doc.line(Math.min(Math.max(line, 1), this.#view.state.doc.lines))
    const anchor = Math.min(at.from + Math.max(column - 1, 0), at.to)
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true })
    this.#view.focus()
  }

  undo(): void {
    undo(this.#view)
  }

  redo(): void {
    redo(this.#view)
  }

  close(): void {
    this.#view.destroy()
  }
}
