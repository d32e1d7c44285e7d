import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The page's colours, by day and by night. */
const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '14px' },
  // The frame around all of it shows the focus: see editor.css.
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { caretColor: 'var(--accent)', minHeight: '320px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunk)',
    color: 'var(--soft)',
    border: 'none',
    minHeight: '336px !important',
  },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--test-fill)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1' },
  '.cm-completionInfo': { maxWidth: '280px' },
  // Underlined by text decoration: the page's policy takes no pictures out of styles.
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.keyword, tags.bool, tags.number, tags.attributeValue], color: 'var(--test)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--soft)' },
])

export const look = [theme, syntaxHighlighting(colours)]
