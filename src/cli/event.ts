import { parse, type Workflow } from '../contract/index.ts'
import { GatehouseError, type JsonValue } from '../core/index.ts'
import { WrongUse } from './command.ts'
import { line } from './validate.ts'

/** The JSON object that `--event` holds. */
export function readEventOption(text: string | undefined): { [key: string]: JsonValue } {
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new WrongUse(`--event is not JSON: write it like '{"camera":"yard"}'`)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new WrongUse(`--event must be a JSON object: write it like '{"camera":"yard"}'`)
  }
  return value as { [key: string]: JsonValue }
}

/** A file made ready to run, or its problems as one error. */
export function readWorkflow(yaml: string, file: string): Workflow {
  const { workflow, problems } = parse(yaml, { file })
  if (workflow) return workflow
  throw new GatehouseError(
    'workflow_invalid',
    problems
      .filter(({ severity }) => severity === 'error')
      .map(line)
      .join('; '),
  )
}
