/** Edits of a file's text: each gives the new text, or null where the old one cannot be read or be changed so. */
export { editBetween } from './between.ts'
export {
  addGuard,
  moveGuard,
  moveParam,
  type ParamPlace,
  removeGuard,
  renameStep,
  setCondition,
  setHead,
  setParam,
  setTrigger,
} from './nodes.ts'
export { addOutcome, removeOutcome, renameOutcome } from './outcomes.ts'
export { jsonAt, type Lane, type Place, placeOf, sourceOf } from './place.ts'
export { sketch } from './sketch.ts'
export { addStep, copyStep, moveStep, removeStep } from './steps.ts'
