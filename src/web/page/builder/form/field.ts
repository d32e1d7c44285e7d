/** What every field of a form has: its words, and what is wrong with it. */
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import type { Json } from '../../../../contract/index.ts'
import { said } from '../../said.ts'
import { label } from '../../words.ts'
import type { Schema } from '../schema.ts'
import { sayTerm } from '../words.ts'

export interface FieldProps {
  id: string
  /** The kind of the node, and the parameter's name. */
  kind: string
  name: string
  schema: Schema
  /** Undefined: the file does not say. */
  value: Json | undefined
  /** Null: it is taken out. */
  set(value: Json): void
  required?: boolean
}

export const labelOf = (kind: string, name: string): string =>
  sayTerm(`param.${kind}.${name}`) ?? sayTerm(`param.${name}`) ?? label(name)

export const hintOf = (kind: string, name: string, { description = '' }: Schema): string =>
  sayTerm(`hint.${kind}.${name}`) ?? sayTerm(`hint.${name}`) ?? said(description)

/** The word for one of several choices. */
export const wordOf = (word: string): string => sayTerm(`word.${word}`) ?? label(word)

/** Several inputs under one name. */
export function Fieldset({
  legend,
  hint,
  children,
}: {
  legend: string
  hint?: string
  children?: ComponentChildren
}) {
  return html`
    <fieldset class="several">
      <legend>${legend}</legend>
      ${hint && html`<small class="meta">${hint}</small>`}
      ${children}
    </fieldset>
  `
}
