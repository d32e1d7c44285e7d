export { Catalogue, type ModelEntry, type ModelFile, type ModelTask } from './catalogue.ts'
export { type FileCheck, verify } from './verify.ts'
