/** Models for the tests, written once a run, and a child to hold them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noLog } from '../../../src/core/index.ts'
import {
  type ChatReply,
  chatJob,
  type LanguageChat,
  Supervisor,
  type SupervisorOptions,
} from '../../../src/inference/index.ts'
import { type ModelOptions, writeModel } from './gguf.ts'

export const childCommand = [process.execPath, join(import.meta.dirname, 'child.ts')]

/** Tokens that question and answer may have in these tests. */
export const contextTokens = 1024

export class Models {
  readonly dir = mkdtempSync(join(tmpdir(), 'gatehouse-llama-'))
  readonly #supervisors: Supervisor[] = []

  /** Writes a model and gives its name. */
  write(name: string, options: ModelOptions = {}): string {
    writeModel(join(this.dir, name), options)
    return name
  }

  path(name: string): string {
    return join(this.dir, name)
  }

  supervise(options: Partial<SupervisorOptions> = {}): Supervisor {
    const supervisor = new Supervisor({ command: childCommand, modelsDir: this.dir, log: noLog, ...options })
    this.#supervisors.push(supervisor)
    return supervisor
  }

  async close(): Promise<void> {
    for (const supervisor of this.#supervisors) await supervisor.stop()
    rmSync(this.dir, { recursive: true })
  }
}

/** A request with what a test does not care about. */
export function request(file: string, asked: Partial<LanguageChat> = {}): LanguageChat {
  return {
    model: { file, contextTokens },
    messages: [{ role: 'user', text: 'Who is there?' }],
    temperature: 0.8,
    seed: 1,
    maxTokens: 32,
    ...asked,
  }
}

/** Asks the child's job itself. */
export function ask(supervisor: Supervisor, asked: LanguageChat, signal?: AbortSignal): Promise<ChatReply> {
  return supervisor.call<ChatReply>(chatJob, asked, { timeoutMs: 110_000, ...(signal && { signal }) })
}

/** The same where an answer is expected. */
export async function said(supervisor: Supervisor, asked: LanguageChat) {
  const reply = await ask(supervisor, asked)
  if (!reply.ok) throw new Error(reply.message)
  return reply.said
}
