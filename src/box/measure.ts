import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, messageOf, noLog, type Picture } from '../core/index.ts'
import { fingerprint, type Hardware, type Measured, type Preset } from '../hardware/index.ts'
import {
  type ChatReply,
  chatJob,
  type LanguageChat,
  type LanguageFile,
  type LoadAnswer,
  loadLanguageJob,
  Supervisor,
} from '../inference/index.ts'
import { Catalogue, contextFor, roomOf } from '../models/index.ts'
import { detectorOf, Eyes, readerOf } from '../vision/index.ts'
import type { Resources } from './resources.ts'

export interface MeasureOptions {
  hardware: Hardware
  preset: Preset
  resources: Resources
  clock: Clock
  /** The language model's file, absolute, and its name; null: there is none to measure. */
  language: { path: string; file: string } | null
  /** For all of it; default two minutes. */
  budgetMs?: number
  /** What is done now, for people. */
  onStep?(what: string): void
}

const BUDGET_MS = 120_000
/** Share of the budget that pictures may take. */
const PICTURES_SHARE = 0.25
/** Pictures of each kind, the first not counted: it loads the model. */
const PICTURES = 5
const PROMPT_TOKENS = 1000
const ANSWER_TOKENS = 100
const SHORT = { words: 60, tokens: 12 }
const LONG_ANSWER = 48
/** An answer that never ends by itself. */
const GRAMMAR = 'root ::= [a-z] root'

/**
 * Times this box's own child on what is installed. What cannot be measured is null, with its reason among
 * `problems`; it never takes much longer than its budget.
 */
export async function measureBox(
  options: MeasureOptions,
): Promise<{ measured: Measured; problems: string[] }> {
  const { hardware, clock, budgetMs = BUDGET_MS, onStep = () => {} } = options
  const problems: string[] = []
  const started = clock.now()
  const left = () => Math.max(1_000, budgetMs - (clock.now() - started))
  const unlessFails = async <T>(what: string, work: () => Promise<T | null>): Promise<T | null> => {
    onStep(what)
    try {
      return await work()
    } catch (error) {
      problems.push(`${what}: ${messageOf(error)}`)
      return null
    }
  }
  const pictures = await pictureTimes(options, unlessFails, budgetMs * PICTURES_SHARE)
  const { language } = options
  const spoken = language && (await unlessFails(language.file, () => languageTimes(options, language, left)))
  return {
    measured: { at: clock.now(), box: fingerprint(hardware), ...pictures, language: spoken },
    problems,
  }
}

type UnlessFails = <T>(what: string, work: () => Promise<T | null>) => Promise<T | null>

async function pictureTimes(
  { resources, clock }: MeasureOptions,
  unlessFails: UnlessFails,
  budgetMs: number,
): Promise<Pick<Measured, 'detect' | 'read'>> {
  const catalogue = Catalogue.load(resources.models)
  const [detector, reader] = [catalogue.forTask('detect'), catalogue.forTask('read')]
  const inference = new Supervisor({
    command: [...resources.command, 'inference'],
    modelsDir: catalogue.filesDir,
    log: noLog,
    clock,
  })
  const eyes = new Eyes(inference, { detector: detectorOf(detector), reader: readerOf(reader) })
  const timed = async (want: { objects: boolean; text: boolean }): Promise<number> => {
    const picture = samplePicture(resources)
    const times: number[] = []
    const end = performance.now() + budgetMs / 2
    for (let n = 0; n <= PICTURES && (n < 2 || performance.now() < end); n++) {
      const from = performance.now()
      await eyes.see(picture, want, { timeoutMs: budgetMs / 2 })
      if (n > 0) times.push(performance.now() - from)
    }
    return (median(times) ?? 0) / 1000
  }
  try {
    const detect = await unlessFails(detector.name, () => timed({ objects: true, text: false }))
    const read = await unlessFails(reader.name, () => timed({ objects: false, text: true }))
    return {
      detect: detect === null ? null : { model: detector.name, seconds: detect },
      read: read === null ? null : { model: reader.name, seconds: read },
    }
  } finally {
    await inference.stop()
  }
}

async function languageTimes(
  { hardware, preset, resources, clock }: MeasureOptions,
  { path, file }: { path: string; file: string },
  left: () => number,
): Promise<NonNullable<Measured['language']>> {
  const model: LanguageFile = {
    file: path,
    contextTokens: contextFor(path, roomOf(hardware)),
    gpu: preset.preset === 'gpu',
  }
  const child = new Supervisor({
    command: [...resources.command, 'inference'],
    modelsDir: resources.models,
    name: 'language',
    log: noLog,
    clock,
  })
  const chat = async (words: number, from: number, maxTokens: number) => {
    const asked: LanguageChat = {
      model,
      messages: [{ role: 'user', text: prompt(words, from) }],
      grammar: GRAMMAR,
      temperature: 0,
      seed: 1,
      maxTokens,
    }
    const reply = await child.call<ChatReply>(chatJob, asked, { timeoutMs: left() })
    if (!reply.ok) throw new Error(reply.message)
    const { readTokens, tokensIn, tokensOut, ms } = reply.said
    return { tokensIn, read: (readTokens * 1000) / ms.read, write: (tokensOut * 1000) / ms.generate }
  }
  try {
    const from = performance.now()
    const loaded = await child.call<LoadAnswer>(loadLanguageJob, model, { timeoutMs: left() })
    if (!loaded.ok) throw new Error(loaded.message)
    const load = (performance.now() - from) / 1000
    const short = await chat(SHORT.words, 0, SHORT.tokens)
    const expectedMs = 1000 * (PROMPT_TOKENS / short.read + LONG_ANSWER / short.write)
    const most = loaded.loaded.contextTokens - LONG_ANSWER - 64
    // As much of a whole turn as there is time for, and room.
    const share = Math.min(1, (left() * 0.8) / expectedMs, most / PROMPT_TOKENS)
    const words = Math.floor((SHORT.words * PROMPT_TOKENS * share) / short.tokensIn)
    const { read, write } =
      words > SHORT.words
        ? await chat(words, SHORT.words, Math.max(SHORT.tokens, Math.floor(LONG_ANSWER * share)))
        : short
    return {
      file,
      backend: loaded.loaded.backend,
      load_seconds: load,
      read_per_second: read,
      write_per_second: write,
      turn_seconds: PROMPT_TOKENS / read + ANSWER_TOKENS / write,
    }
  } finally {
    await child.stop()
  }
}

/** So many words that are no two the same, from a number on, so that no prompt is the beginning of another. */
function prompt(words: number, from: number): string {
  return Array.from({ length: words }, (_, i) => `gate${from + i}`).join(' ')
}

/** A picture as cameras take them. */
function samplePicture({ templates }: Resources): Picture {
  const folder = join(templates, 'cases', 'pictures')
  const name = readdirSync(folder)
    .sort()
    .find(each => each.endsWith('.jpg'))
  if (!name) throw new Error('no sample picture is there: keep templates beside the executable')
  return { bytes: new Uint8Array(readFileSync(join(folder, name))), takenAt: 0, source: name }
}

function median(times: readonly number[]): number | undefined {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]
}
