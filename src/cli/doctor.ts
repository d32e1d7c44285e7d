import { existsSync } from 'node:fs'
import { statfs, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileChecks, hardwareChecks } from '../box/checkup/box-checks.ts'
import { bad, type Check, good } from '../box/checkup/check.ts'
import type { Checkup } from '../box/checkup/checkup.ts'
import { commissionPage } from '../box/checkup/commission.ts'
import { rescueChecks } from '../box/checkup/rescue-checks.ts'
import { siteChecks } from '../box/checkup/site-checks.ts'
import { clearStarts } from '../box/starts.ts'
import { FileSecrets } from '../connect/index.ts'
import { GatehouseError, systemClock } from '../core/index.ts'
import { verify } from '../models/index.ts'
import { askBox, isUp, type Meant } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { modelsBox, siteInForceOf } from './models-box.ts'

/** Cameras that are asked at the same moment for the report. */
const AT_ONCE = 4

export const doctor: Command = {
  usage: 'doctor [--commission | --bundle FILE | --clear] [--data FOLDER | --port N] [--json]',
  summary:
    'looks at everything and says what to do; --commission prints the page of a hand-over, --bundle makes a file for whoever helps, --clear leaves safe mode',
  async run(args) {
    const { values, words } = readArgs(args, {
      commission: { type: 'boolean' },
      bundle: { type: 'string' },
      clear: { type: 'boolean' },
      data: { type: 'string' },
      port: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const meant = { data: values.data, port: values.port }
    const dataDir = dataFolder(values.data)
    if (values.clear) {
      clearStarts(dataDir)
      print('The next start is one like any other; a box in safe mode leaves it now.')
      return exit.done
    }
    // Another box may answer at the usual port: the one of this folder is meant, unless a port is named.
    const up = values.port !== undefined || (await isUp(dataDir))
    if (values.bundle !== undefined) {
      const bytes = up ? await bundleFromBox(meant) : await bundleWithoutBox(dataDir)
      await writeFile(values.bundle, bytes, { mode: 0o600 })
      print(
        `${values.bundle} (${Math.ceil(bytes.length / 1000)} kB): look through it, then send it to whoever helps.`,
      )
      return exit.done
    }
    const found = up ? await fromBox(meant, values.commission ?? false) : null
    if (!found && values.commission)
      throw new GatehouseError(
        'not_up',
        'the box is not up: start it with gatehouse up, or name its --data or --port',
      )
    const seen = found ? found.checks : await withoutBox(dataDir)
    const checks = values.port === undefined ? [...seen, ...rescueChecks(dataDir, systemClock.now())] : seen
    if (values.json) print(JSON.stringify({ report: null, ...found, checks }))
    else if (found && values.commission) print(commissionPage(found, hostname()))
    else for (const line of linesOf(checks)) print(line)
    return checks.some(({ state }) => state === 'bad') ? exit.failed : exit.done
  },
}

/** What the box that is up says; `fresh`: each camera is asked for a picture before. */
async function fromBox(meant: Meant, fresh: boolean): Promise<Checkup> {
  const first = await ask<Checkup>('/api/v1/system/checkup', 'GET', meant)
  if (!fresh) return first
  const cameras = first.report.cameras.filter(({ source }) => source !== null)
  const visit = async () => {
    for (let camera = cameras.shift(); camera; camera = cameras.shift())
      await ask(`/api/v1/site/cameras/${encodeURIComponent(camera.id)}/test`, 'POST', meant)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
  return ask<Checkup>('/api/v1/system/checkup', 'GET', meant)
}

async function bundleFromBox(meant: Meant): Promise<Uint8Array> {
  const how = 'start it with gatehouse up, or name its --data'
  const response = await askBox('/api/v1/system/bundle', { type: 'application/json' }, meant, how)
  if (response.ok) return response.bytes()
  const { code = 'failed', detail } = (await response.json()) as { code?: string; detail?: string }
  throw new GatehouseError(code, detail ?? `the box answered ${response.status}`)
}

/** Of a box that is not up: no runs, no log. */
async function bundleWithoutBox(dataDir: string): Promise<Uint8Array> {
  const { makeBundle } = await import('../box/care/bundle.ts')
  const { privateOf } = await import('../box/care/private.ts')
  const now = systemClock.now()
  const checks = [...(await withoutBox(dataDir)), ...rescueChecks(dataDir, now)]
  const site = existsSync(dataDir) ? (await siteInForceOf(dataDir)).site : null
  return makeBundle({
    dataDir,
    now,
    checkup: { checks, report: null },
    ...(await privateOf({ dataDir, site })),
  })
}

async function ask<T>(path: string, method: string, meant: Meant): Promise<T> {
  const how = 'start it with gatehouse up, or name its --data'
  const response = await askBox(path, { method, type: 'application/json' }, meant, how)
  const answer = (await response.json()) as T & { code?: string; detail?: string }
  if (response.ok) return answer
  throw new GatehouseError(answer.code ?? 'failed', answer.detail ?? `the box answered ${response.status}`)
}

/** What can be seen of a box that is not up. */
async function withoutBox(dataDir: string): Promise<Check[]> {
  const down = bad('Box', null, 'It is not up.', 'Start it: gatehouse up')
  if (!existsSync(dataDir))
    return [down, bad('Data', null, `There is no folder ${dataDir}.`, 'Name it with --data.')]
  const { site, problem } = await siteInForceOf(dataDir)
  const { catalogue, hardware } = modelsBox(dataDir)
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const room = `${(free / 1e9).toFixed(1)} GB are free.`
  const files = await verify(catalogue)
  const wrong = files.filter(({ state }) => state !== 'ok')
  return [
    down,
    existsSync(join(dataDir, 'gatehouse.db'))
      ? good('Data', null, `They lie in ${dataDir}.`)
      : bad('Data', null, `There is no box in ${dataDir}.`, 'Name its folder with --data, or start it once.'),
    free < 256 * 1024 * 1024
      ? bad('Disk', null, `It is nearly full: ${room}`, 'Make room.')
      : good('Disk', null, room),
    ...hardwareChecks(hardware),
    ...fileChecks(problem, site.warnings),
    ...siteChecks(site, new FileSecrets(dataDir)),
    ...(wrong.length
      ? wrong.map(({ model, message }) => bad('Model', model, message))
      : [good('Models', null, `All ${files.length} files that ship are whole.`)]),
  ]
}

const MARKS = { good: 'ok  ', note: 'note', bad: 'BAD ' }

/** A line each, what is bad last, where it is seen. */
function linesOf(checks: readonly Check[]): string[] {
  const order = ['good', 'note', 'bad']
  const sorted = checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const count = (state: Check['state']) => checks.filter(each => each.state === state).length
  const sum = count('bad')
    ? `${count('bad')} to do, ${count('note')} to know.`
    : `All is well${count('note') ? `, ${count('note')} to know` : ''}.`
  return [
    ...sorted.map(({ state, area, name, text, advice }) => {
      const what = `${area}${name === null ? '' : ` ${name}`}`
      return `${MARKS[state]}  ${what}: ${text}${advice === null ? '' : ` ${advice}`}`
    }),
    sum,
  ]
}
