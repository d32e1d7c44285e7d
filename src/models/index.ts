export { Catalogue, type ModelEntry, type ModelFile, type ModelTask } from './catalogue.ts'
export { type FileCheck, hashOf, verify } from './verify.ts'
