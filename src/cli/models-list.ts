import type { Hardware } from '../hardware/index.ts'
import { gigabytes, type Installed, type KnownModel, type ModelEntry, misfit } from '../models/index.ts'
import { inUse, modelsBox, siteOf, tell } from './models-box.ts'
import type { ModelsCall } from './models-work.ts'

/** `models list`: what ships, what was brought, and what could be. */
export async function list({ dataDir, json }: ModelsCall): Promise<number> {
  const { catalogue, installed, hardware } = modelsBox(dataDir)
  const named = inUse((await siteOf(dataDir)).site).map(({ name }) => name)
  const brought = await installed.list()
  const files = new Set(brought.map(({ file }) => file))
  const rows = [
    ...catalogue.models.map(shippedRow),
    ...brought.map(model => broughtRow(model, named)),
    ...catalogue.known
      .filter(({ files: its }) => !Object.values(its).every(({ path }) => files.has(path)))
      .map(model => knownRow(model, hardware)),
  ]
  const missing = named.filter(name => !files.has(name))
  return tell(json, rows, [
    ...section('With Gatehouse:', rows, 'ships'),
    ...section(`Brought to this box (${installed.dir}):`, rows, 'installed'),
    ...section('Known, to be brought by "models add FILE" or "models pull NAME":', rows, 'known'),
    ...(brought.length ? [] : ['No language model is installed: docs/models.md says how to bring one.']),
    ...missing.map(name => `site.yaml asks for ${name}, which is not installed: add it.`),
  ])
}

interface Row {
  name: string
  state: 'ships' | 'installed' | 'known'
  task: string
  description: string
  licence: string | null
  source: string | null
  /** Why it does not fit this box, or null. */
  misfit: string | null
  in_use: boolean
  bytes: number | null
  need_bytes: number | null
  warnings: readonly string[]
}

function shippedRow({ name, task, description, licence, source, ram_mb, files }: ModelEntry): Row {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0)
  const rest = { misfit: null, in_use: true, bytes, need_bytes: ram_mb * 1e6, warnings: [] }
  return { name, state: 'ships', task, description, licence, source, ...rest }
}

function broughtRow({ file, bytes, record, misfit }: Installed, named: readonly string[]): Row {
  const facts = record?.facts
  const parts = [facts?.architecture, facts?.quantisation, facts?.context && `${facts.context} tokens`]
  const looked = parts.filter(Boolean).join(', ')
  return {
    name: file,
    state: 'installed',
    task: facts?.task ?? 'other',
    description: record ? `${looked}${record.known ? ` (${record.known})` : ''}` : 'never looked at',
    licence: null,
    source: null,
    misfit,
    in_use: named.includes(file),
    bytes,
    need_bytes: facts?.needBytes ?? null,
    warnings: record?.warnings ?? [`${file} was put there by hand: run "gatehouse models add" on it`],
  }
}

function knownRow(model: KnownModel, hardware: Hardware): Row {
  const { name, task, description, licence, source, ram_mb, files, unverified } = model
  const sizes = Object.values(files).map(({ bytes }) => bytes)
  return {
    name,
    state: 'known',
    task,
    description,
    licence,
    source,
    misfit: misfit(ram_mb * 1e6, hardware),
    in_use: false,
    bytes: sizes.some(size => size === undefined)
      ? null
      : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    need_bytes: ram_mb * 1e6,
    warnings: unverified ? ['its hash is not known here'] : [],
  }
}

function section(title: string, rows: readonly Row[], state: Row['state']): string[] {
  const mine = rows.filter(row => row.state === state)
  return mine.length ? [title, ...mine.flatMap(linesOf)] : []
}

function linesOf(row: Row): string[] {
  const size = row.bytes === null ? '' : `, ${gigabytes(row.bytes)}`
  const use = row.state === 'installed' && row.in_use ? ', in use' : ''
  const licence = row.licence ? ` ${row.licence}.` : ''
  const fit = row.misfit ? [`    does not fit this box: ${row.misfit}`] : []
  return [
    `  ${row.name} (${row.task}${size}${use}): ${row.description}${licence}`,
    ...fit,
    ...row.warnings.map(warning => `    ${warning}`),
  ]
}
