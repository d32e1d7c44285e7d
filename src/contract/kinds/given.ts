/** Values that several kinds give. */
import type { Given, ValueType } from '../kind.ts'

/** A value that AI or an outsider may have made: it never guards a move. */
export const unclean = (type: ValueType, description: string): Given => ({ type, clean: false, description })

/** A value that the box itself knows. */
export const clean = (type: ValueType, description: string): Given => ({ type, clean: true, description })

/** The camera that the trigger is about. */
export const cameraValues = (isClean = true): Record<string, Given> => ({
  camera: { type: 'text', clean: isClean, description: 'The camera role that the trigger matched.' },
  camera_name: { type: 'text', clean: isClean, description: "The camera's name at this site." },
  camera_id: { type: 'text', clean: isClean, description: "The camera's id at this site." },
})

/** One name or a list of them, as a list. */
export const list = <T>(value: T | readonly T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? [...value] : [value as T]

/** The literal names in parameters that may also hold a placeholder. */
export const literal = (value: string | undefined): string[] =>
  value === undefined || value.includes('{') ? [] : [value]
