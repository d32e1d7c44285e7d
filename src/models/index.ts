export { Catalogue, type ModelEntry, type ModelFile, type ModelTask } from './catalogue.ts'
export { demandFiles, type FileCheck, verify } from './verify.ts'
