import { FileSecrets, SiteDownload } from '../connect/index.ts'
import { GatehouseError, systemClock } from '../core/index.ts'
import { gigabytes, type KnownModel, type ModelRecord, misfit, pull, verify } from '../models/index.ts'
import { exit } from './command.ts'
import { inUse, type ModelsBox, modelsBox, siteInForceOf, siteOf, tell } from './models-box.ts'

/** `gatehouse models WORD [NAME]`, read. */
export interface ModelsCall {
  name: string | null
  dataDir: string
  force: boolean
  json: boolean
}

export async function add({ name, dataDir, force, json }: ModelsCall): Promise<number> {
  const record = await modelsBox(dataDir).installed.add(name ?? '', { force })
  return tell(json, record, taken(record))
}

export async function pullModel({ name, dataDir, force, json }: ModelsCall): Promise<number> {
  const { catalogue, installed, hardware } = modelsBox(dataDir)
  const model = knownModel(catalogue.known, name ?? '')
  const why = misfit(model.ram_mb * 1e6, hardware)
  if (why && !force)
    throw new GatehouseError(
      'model_misfit',
      `${model.name} does not fit: ${why}; choose a smaller one, or say --force`,
    )
  const { site, problem } = await siteInForceOf(dataDir)
  if (problem)
    throw new GatehouseError(
      'site_invalid',
      `the site file says what may be fetched, and is wrong: ${problem}`,
    )
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const records = await pull(model, {
    installed,
    download: new SiteDownload({ site: () => site, secrets: new FileSecrets(dataDir), clock: systemClock }),
    clock: systemClock,
    signal: stop.signal,
    ...(process.stderr.isTTY && { onProgress: progress() }),
  })
  return tell(json, records, records.flatMap(taken))
}

export async function verifyModels({ name, dataDir, json }: ModelsCall): Promise<number> {
  const { catalogue, installed } = modelsBox(dataDir)
  const ships = name === null || catalogue.models.some(model => model.name === name)
  const checks = [
    ...(ships ? await verify(catalogue, name ?? undefined) : []),
    ...(name === null || !ships ? await installed.verify(name ?? undefined) : []),
  ]
  tell(
    json,
    checks,
    checks.map(({ model, path, state, message }) => `${model} ${path}: ${message || state}`),
  )
  return checks.every(({ state }) => state === 'ok') ? exit.done : exit.failed
}

export async function remove({ name, dataDir, force, json }: ModelsCall): Promise<number> {
  const { installed }: ModelsBox = modelsBox(dataDir)
  const file = name ?? ''
  installed.path(file)
  const { site, problem } = await siteOf(dataDir)
  if (!force && problem)
    throw new GatehouseError(
      'model_in_use',
      `whether ${file} is in use is not known, the site file is wrong: mend it, or say --force`,
    )
  const use = inUse(site).find(each => each.name === file)
  if (!force && use)
    throw new GatehouseError(
      'model_in_use',
      `site.yaml asks for ${file}: name another under ${use.key} there, or say --force`,
    )
  await installed.remove(file)
  return tell(json, { removed: file }, [`${file} is removed.`])
}

function knownModel(known: readonly KnownModel[], name: string): KnownModel {
  const model = known.find(each => each.name === name)
  if (model) return model
  throw new GatehouseError(
    'model_unknown',
    `no model that can be fetched is named ${name.slice(0, 60)}: choose ${known.map(each => each.name).join(', ')}`,
  )
}

function taken({ file, bytes, facts, warnings, known }: ModelRecord): string[] {
  const what = [facts.architecture, facts.quantisation, known && `known as ${known}`]
    .filter(Boolean)
    .join(', ')
  return [
    `${file} is installed: ${gigabytes(bytes)}${what ? `, ${what}` : ''}.`,
    ...warnings.map(warning => `Note: ${warning}.`),
    ...(facts.task === 'language' ? [`To use it, write into site.yaml: language: { model: ${file} }`] : []),
    ...(facts.task === 'answer' ? [`To use it, write into site.yaml: vision: { model: ${file} }`] : []),
  ]
}

/** A line on a terminal that is written over, a few times a second. */
function progress(): (file: string, bytes: number, total: number) => void {
  let last = 0
  return (file, bytes, total) => {
    const now = systemClock.now()
    if (bytes !== total && now - last < 250) return
    last = now
    const of = total > 0 ? ` of ${gigabytes(total)}` : ''
    process.stderr.write(`\r${file}: ${gigabytes(bytes)}${of}   ${bytes === total ? '\n' : ''}`)
  }
}
