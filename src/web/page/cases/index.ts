/** Cases: loaded when somebody looks at them. */
export { CaseList } from './list.ts'
export { MakeCase } from './make.ts'
