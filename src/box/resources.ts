import { dirname, join, resolve } from 'node:path'

/** What ships with the program, in a clone and beside the executable alike. */
export interface Resources {
  models: string
  templates: string
  /** How to start this very program again, for its inference child. */
  command: string[]
  /** Where the inference service listens, if it runs as a service of its own: then there are no children. */
  inferenceSocket?: string | undefined
}

/** Inside an executable the sources lie in a virtual folder of Bun's. */
const compiled = import.meta.dirname.startsWith('/$bunfs')

/** Finds them: in a clone at its root, else beside the executable. */
export function resources(): Resources {
  const root = compiled ? dirname(process.execPath) : resolve(import.meta.dirname, '../..')
  return {
    models: join(root, 'models'),
    templates: join(root, 'templates'),
    command: compiled ? [process.execPath] : [process.execPath, join(import.meta.dirname, '../main.ts')],
    inferenceSocket: process.env.GATEHOUSE_INFERENCE_SOCKET || undefined,
  }
}
