/** What this box was measured to take: kept in a file, so that every command reads it while the box runs. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { GatehouseError, messageOf } from '../core/index.ts'
import type { Hardware, Preset } from './types.ts'

const seconds = Type.Number({ exclusiveMinimum: 0 })
const perSecond = Type.Number({ exclusiveMinimum: 0 })

const Measured = Type.Object({
  /** ms since 1970. */
  at: Type.Integer(),
  /** Of which box: a copy of the folder on another one counts for nothing. */
  box: Type.String(),
  /** Finding things in one picture, from its bytes on. */
  detect: Type.Union([Type.Object({ model: Type.String(), seconds }), Type.Null()]),
  /** Reading the text in one picture. */
  read: Type.Union([Type.Object({ model: Type.String(), seconds }), Type.Null()]),
  language: Type.Union([
    Type.Object({
      file: Type.String(),
      backend: Type.Union([Type.Literal('cpu'), Type.Literal('gpu')]),
      load_seconds: Type.Number({ minimum: 0 }),
      /** Tokens of a prompt. */
      read_per_second: perSecond,
      /** Tokens of an answer. */
      write_per_second: perSecond,
      /** A prompt of 1,000 tokens, none of them remembered, and an answer of 100. */
      turn_seconds: seconds,
    }),
    Type.Null(),
  ]),
})

export type Measured = Static<typeof Measured>

/** What AI steps may take on this box, by what was measured of it. */
export interface MeasuredLimits {
  /** Turns of the language model that fit the preset's time; null: not measured. */
  turns: number | null
  /** Tool calls of one AI step: one turn is left for the decision. */
  calls: number
  seconds: number
}

const FILE = 'measured.json'

/** What tells this box from another one. */
export function fingerprint({ arch, cpu, ramBytes }: Hardware): string {
  return [arch, cpu.model ?? 'unknown', cpu.cores, Math.round(ramBytes / 1024 ** 3)].join(' / ')
}

/** What was last measured of this very box; null: nothing, or nothing that can be read. */
export function readMeasured(dataDir: string, hardware: Hardware): Measured | null {
  try {
    const measured: unknown = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'))
    return Value.Check(Measured, measured) && measured.box === fingerprint(hardware) ? measured : null
  } catch {
    return null
  }
}

/** Keeps it, whole or not at all. Throws `GatehouseError` `data_unusable`. */
export async function keepMeasured(dataDir: string, measured: Measured): Promise<void> {
  const path = join(dataDir, `.measured-${randomUUID()}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(measured, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(path, join(dataDir, FILE))
  } catch (error) {
    await rm(path, { force: true })
    throw new GatehouseError(
      'data_unusable',
      `${dataDir} cannot keep what was measured (${messageOf(error)})`,
    )
  }
}

/** The preset's limits, and how many turns really fit its time. */
export function measuredLimits({ calls, seconds }: Preset, measured: Measured | null): MeasuredLimits {
  const turn = measured?.language?.turn_seconds
  if (turn === undefined) return { turns: null, calls, seconds }
  const turns = Math.floor(seconds / turn)
  return { turns, calls: Math.min(calls, Math.max(0, turns - 1)), seconds }
}

/** For people, a line each. */
export function describeMeasured(measured: Measured | null, preset: Preset): string[] {
  if (!measured) return ['Not measured yet: "gatehouse hardware --measure" takes two minutes at most.']
  const { detect, read, language, at } = measured
  const { turns, calls } = measuredLimits(preset, measured)
  return [
    `Measured ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC:`,
    ...(detect ? [`  ${detect.model}: ${figure(detect.seconds)} s to find things in a picture`] : []),
    ...(read ? [`  ${read.model}: ${figure(read.seconds)} s to read the text in one`] : []),
    ...(language
      ? [
          `  ${language.file} (${language.backend}): reads ${figure(language.read_per_second)} and writes ${figure(language.write_per_second)} tokens a second, ${figure(language.turn_seconds)} s a turn (1,000 tokens read, 100 written)`,
          turns !== null && turns < 2
            ? `  An investigation needs two turns, and ${turns} ${turns === 1 ? 'fits' : 'fit'} ${preset.seconds} s: choose a smaller model.`
            : `  ${turns} turns fit ${preset.seconds} s: at most ${calls} tool calls for an AI step.`,
        ]
      : ['  No language model was measured.']),
  ]
}

/** Two digits that count. */
function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))
}
