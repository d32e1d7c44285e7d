/** The extra values of an `ai` or `call` step: how they are declared, and what they give. */
import { type Static, Type } from '@sinclair/typebox'
import type { Given } from '../../kind.ts'
import { unclean } from '../given.ts'
import { mapOf, oneOf } from '../params.ts'

export const ASKED_TYPES = ['text', 'long_text', 'number', 'yes_no'] as const
export const MEASURES = ['count', 'present', 'text', 'plate'] as const

const option = Type.String({ minLength: 1, maxLength: 64, expects: 'text of 1 to 64 characters' })
export const options = (description: string, expects: string) =>
  Type.Array(option, { minItems: 1, maxItems: 32, expects, description })

const enumeration = options('One of these, asked of the model.', 'a list of options')
const asked = oneOf(ASKED_TYPES, 'Asked of the model.')
const measured = Type.Object(
  {
    measure: oneOf(MEASURES, 'What a detector or OCR fills in.'),
    of: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        expects: 'person, vehicle, animal or a label of the detector',
        description: 'What is counted or looked for.',
      }),
    ),
    region: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        expects: 'the name of a zone',
        description: 'A zone of the camera; the whole picture where absent.',
      }),
    ),
    min_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        expects: 'a number from 0 to 1',
        description: 'The least score that counts.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const askedField = Type.Union([enumeration, asked], {
  expects: 'a list of options, text, long_text, number or yes_no',
})
export const anyField = Type.Union([enumeration, asked, measured], {
  expects:
    'a list of options, text, long_text, number, yes_no or { measure: count | present | text | plate }',
})

export type MeasuredField = Static<typeof measured>
export type Field = Static<typeof anyField>
export type AskedField = Static<typeof askedField>

export const fieldsOf = <T>(field: typeof anyField | typeof askedField) =>
  mapOf<T>(field, 'Extra values: name → how it is filled.', { minProperties: 1 })

export const isMeasured = (field: Field): field is MeasuredField =>
  typeof field === 'object' && !Array.isArray(field)

/** What a rule has before it when it reads a field. */
export type FieldType =
  | { type: 'options'; options: readonly string[] }
  | { type: 'text' | 'number' | 'yes_no' | 'plate' }

export const fieldType = (field: Field): FieldType => {
  if (Array.isArray(field)) return { type: 'options', options: field }
  if (isMeasured(field)) {
    return {
      type: ({ count: 'number', present: 'yes_no', text: 'text', plate: 'plate' } as const)[field.measure],
    }
  }
  return { type: field === 'number' || field === 'yes_no' ? field : 'text' }
}

export const fieldValues = (fields: Readonly<Record<string, Field>> = {}): Record<string, Given> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { type } = fieldType(field)
      return [
        name,
        isMeasured(field)
          ? unclean(type === 'number' || type === 'yes_no' ? type : 'text', 'Measured in the picture.')
          : unclean(type === 'number' || type === 'yes_no' ? type : 'text', 'Answered by the model.'),
      ]
    }),
  )
