import type { Finding } from '../../kind.ts'
import { NAME } from '../params.ts'
import { RESERVED_NAMES } from '../reserved.ts'
import { checkDistinct } from './distinct.ts'
import { type Field, isMeasured } from './fields.ts'

type Found = (finding: Finding) => void
type Fields = Readonly<Record<string, Field>>

const name = new RegExp(NAME)

/** Field names become values: they must be names, and not such as mean something else. */
export function checkFieldNames(fields: Fields, found: Found): void {
  for (const key of Object.keys(fields)) {
    if (!name.test(key)) {
      found({
        at: ['fields', key],
        key: true,
        code: 'invalid_name',
        message: `${JSON.stringify(key)} is no name: use a-z first, then a-z, 0-9, - or _.`,
      })
    } else if (RESERVED_NAMES.has(key)) {
      found({
        at: ['fields', key],
        key: true,
        code: 'reserved_name',
        message: `${key} means something else already: give the field another name.`,
      })
    }
  }
}

export function checkFields(fields: Fields, found: Found): void {
  for (const [key, field] of Object.entries(fields)) {
    if (Array.isArray(field)) {
      checkDistinct(key, field, finding => found({ ...finding, at: ['fields', ...finding.at] }), 'option')
    } else if (isMeasured(field)) {
      const counts = field.measure === 'count' || field.measure === 'present'
      if (counts && field.of === undefined) {
        found({
          at: ['fields', key],
          code: 'measure_needs_of',
          message: `measure: ${field.measure} needs of: say person, vehicle, animal or a label of the detector.`,
        })
      }
      if (!counts && field.of !== undefined) {
        found({
          at: ['fields', key, 'of'],
          key: true,
          code: 'measure_without_of',
          message: `measure: ${field.measure} reads what is written: leave of out.`,
        })
      }
    }
  }
}
