import { fill, matches } from '../../contract/index.ts'
import type { ConditionFunction } from '../types.ts'

interface Params {
  camera: string
  contains_any: string[]
}

/** A camera shows one of the texts. Where nobody could read, it is not known. */
export const textVisible: ConditionFunction = {
  holds(params, { values, textOf }) {
    const { camera, contains_any } = params as Params
    const text = textOf?.(fill(camera, values)) ?? null
    return text === null ? null : matches({ contains_any }, text)
  },
}
