import type { TraceEntry, Usage } from './types.ts'

/** What the calls of a trace took; `ms` is that of the whole step. What was refused or put off is no call. */
export function usageOf(trace: readonly TraceEntry[], ms: number): Usage {
  const made = trace.filter(({ status }) => status === 'ok' || status === 'failed')
  const tools = made.filter(({ kind }) => kind === 'tool').length
  return {
    modelCalls: made.length - tools,
    ...(tools > 0 && { toolCalls: tools }),
    ms,
    tokensIn: trace.reduce((sum, { tokensIn = 0 }) => sum + tokensIn, 0),
    tokensOut: trace.reduce((sum, { tokensOut = 0 }) => sum + tokensOut, 0),
  }
}
