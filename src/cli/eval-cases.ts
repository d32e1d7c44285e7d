import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDistinct, type EvalCase, readCases, type Split, type Suite } from '../ai/eval/index.ts'
import { GatehouseError } from '../core/index.ts'
import { readBytes, readText, WrongUse } from './command.ts'

/** What is to be run. */
export interface Choice {
  suites: readonly Suite[]
  splits: readonly Split[]
}

/** The cases of a folder: its files, and those of the folders `look`, `investigate` and `draft` in it. */
export async function loadCases(folder: string, { suites, splits }: Choice): Promise<EvalCase[]> {
  const files = await filesIn(folder)
  if (!files.length) throw new WrongUse(`${folder}: there are no .yaml files of cases in it`)
  const all: EvalCase[] = []
  for (const file of files) all.push(...readCases(await readText(join(folder, file)), file))
  checkDistinct(all)
  const chosen = all.filter(({ suite, split }) => suites.includes(suite) && splits.includes(split))
  if (!chosen.length)
    throw new GatehouseError('no_cases', `${folder}: none of its cases is of that suite and split`)
  return chosen
}

async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const inner of ['', 'look', 'investigate', 'draft']) {
    const names = await readdir(join(folder, inner)).catch(() => null)
    if (names === null && inner === '') throw new WrongUse(`${folder}: there is no such folder`)
    for (const name of (names ?? []).sort()) if (/\.ya?ml$/.test(name)) found.push(join(inner, name))
  }
  return found
}

/** A picture of a case: of the folder's own `pictures`, else a sample. Its name is no path: the case's form holds that. */
export async function pictureOf(name: string, folders: readonly string[]): Promise<Uint8Array> {
  for (const folder of folders) {
    const bytes = await readBytes(join(folder, name)).catch(() => null)
    if (bytes) return bytes
  }
  throw new WrongUse(`there is no sample picture ${name}`)
}
