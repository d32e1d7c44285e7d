/** The builder of workflow files: loaded with the editor, and works on its text. */
export { Builder, type BuilderProps } from './builder.ts'
