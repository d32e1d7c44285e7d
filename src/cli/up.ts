import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Appliance } from '../app.ts'
import { type Resources, resources } from '../box/resources.ts'
import { Starts } from '../box/starts.ts'
import { Systemd } from '../box/systemd.ts'
import { siteToStart } from '../connect/index.ts'
import { createLog, GatehouseError, type Log, LogRing, messageOf, systemClock } from '../core/index.ts'
import { Catalogue, demandFiles } from '../models/index.ts'
import { HTTPS, hostIn, type Listen } from '../web/index.ts'
import { type Command, exit, print, readArgs, readText, signalled, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { isDemoSite, makeDemoSite, playDemo } from './demo.ts'
import { entryLines } from './entry-lines.ts'
import { line } from './validate.ts'

const levels = ['fatal', 'error', 'warn', 'info', 'debug']

export const up: Command = {
  usage:
    'up [--data FOLDER] [--host ADDRESS] [--port N] [--https off|own|files] [--no-demo] [--log-level info]',
  summary: 'start the appliance; a first start with no camera makes a demo site',
  async run(args) {
    const { values, words } = readArgs(args, {
      data: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      https: { type: 'string' },
      'no-demo': { type: 'boolean' },
      'log-level': { type: 'string' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const level = values['log-level'] ?? 'warn'
    if (!levels.includes(level)) throw new WrongUse(`--log-level is one of: ${levels.join(', ')}`)
    const pinned = pinnedBy(values)
    const dataDir = dataFolder(values.data)
    const parts = resources()
    const catalogue = Catalogue.load(parts.models)
    await demandFiles(catalogue)

    const file = join(dataDir, 'site.yaml')
    if (!existsSync(file) && !values['no-demo']) {
      try {
        await mkdir(dataDir, { recursive: true, mode: 0o700 })
        await makeDemoSite(dataDir)
      } catch (error) {
        throw new GatehouseError(
          'data_unusable',
          `${dataDir} cannot hold the data (${messageOf(error)}): choose another --data`,
        )
      }
    }
    const stopped = signalled()
    const starts = new Starts(dataDir, systemClock)
    const logLines = new LogRing(level === 'debug' ? 'debug' : 'info')
    const log = createLog(level, logLines)
    let box: Appliance | null = null
    let between = false
    // While the box is stopped to start anew, that it lives is all there is to say.
    const commit = async () => (between ? null : box?.store.write(() => undefined))
    let restoreProblem: string | null = null
    const systemd = new Systemd({ commit, clock: systemClock, log })
    const isUp = (now: Appliance, url: string | null) => {
      if (!box) systemd.start(`Up: ${url}`)
      box = now
    }
    const isDown = () => systemd.stop()
    for (let over = false; !over; ) {
      const safe = starts.begin()
      try {
        const next = await once({
          parts,
          catalogue,
          dataDir,
          log,
          pinned,
          file,
          safe,
          starts,
          stopped,
          isUp,
          isDown,
          logLines,
          restoreProblem,
        })
        over = next === 'over'
        between = typeof next === 'function'
        if (typeof next === 'function')
          restoreProblem = await next().then(
            () => null,
            error => {
              log.error({ error: messageOf(error) }, 'the backup was not put in place')
              return messageOf(error)
            },
          )
        between = false
      } catch (error) {
        starts.failed(error, isRefusal(error))
        throw error
      }
    }
    return exit.done
  },
}

interface Once {
  parts: Resources
  catalogue: Catalogue
  dataDir: string
  /** The site file. */
  file: string
  log: Log
  pinned: Partial<Listen>
  safe: string | null
  starts: Starts
  logLines: LogRing
  restoreProblem: string | null
  stopped: Promise<void>
  isUp(box: Appliance, url: string | null): void
  /** It ends for good. */
  isDown(): void
}

/** Why a box was stopped: for good, to leave safe mode, or to do something and start anew. */
type Next = 'over' | 'again' | (() => Promise<void>)

/** The box from its start to its stop. */
async function once(of: Once): Promise<Next> {
  const { parts, catalogue, dataDir, file, safe, starts, logLines, restoreProblem } = of
  const restarts = Promise.withResolvers<Next>()
  const stopped = Promise.race([of.stopped.then((): Next => 'over'), restarts.promise])
  const { site, text, problem } = await siteToStart(file, existsSync(file) ? await readText(file) : '')
  if (problem) print(`The site file is not in force, what it said before is: ${problem}`)
  const appliance = new Appliance({
    dataDir,
    resources: parts,
    catalogue,
    site,
    siteFile: { file, text },
    log: of.log,
    port: 8088,
    pinned: of.pinned,
    safe,
    host: { log: logLines, restart: restarts.resolve, restoreProblem },
  })
  const { url } = await appliance.start()
  let next: Next = 'over'
  try {
    starts.up(safe !== null)
    of.isUp(appliance, url)
    print(`Gatehouse is up: ${url}${appliance.web?.isLocal ? ' (on this machine only)' : ''}`)
    print(`Data and site file: ${dataDir}`)
    for (const line of await entryLines(appliance, url ?? '')) print(line)
    for (const warning of site.warnings) print(line(warning))
    if (safe !== null) {
      print(
        `SAFE MODE, nothing runs: ${safe} To have it try again: gatehouse rescue --clear --data ${dataDir}`,
      )
      next = await Promise.race([stopped, starts.mayLeave().then((): Next => 'again')])
      return next
    }
    if (isDemoSite(text) && !appliance.engine.runs({ limit: 1 }).length) {
      await Promise.race([demo(appliance, parts, dataDir, url ?? ''), stopped])
    } else if (!appliance.rules.site.cameras.length)
      print(`No camera is configured: add one at ${url}/site/cameras, or name yours in ${file}`)
    // The executable starts with a compiler that waits (see the build): what runs from here on runs for long.
    Bun.unsafe.setJITPolicy(1)
    next = await stopped
    return next
  } finally {
    if (next === 'over') of.isDown()
    await appliance.stop()
    if (next !== 'again') starts.ended(safe !== null)
  }
}

/** What the box says in words it will say again: nothing that safe mode would help with. */
function isRefusal(error: unknown): boolean {
  return error instanceof GatehouseError && error.code !== 'store_failed'
}

/** What a plate reader would send. */
const plate = {
  schema: 'plate.recognized.v1',
  camera_id: 'gate',
  payload: { plate_text: 'GH27DEMO', confidence: 0.97 },
}

/** Shows the main thing once. What is not well with the samples does not keep the box from running. */
async function demo(appliance: Appliance, parts: Resources, dataDir: string, url: string): Promise<void> {
  const pictures = join(dataDir, 'pictures')
  print('No camera was configured, so this is a demo site: two folders are its cameras.')
  print(`Drop a JPEG into ${join(pictures, 'yard')}: Yard watch looks at it.`)
  print(
    `Gate concierge starts when a plate is read: drop one into ${join(pictures, 'gate')}, then send the plate:`,
  )
  print(`  curl --json '${JSON.stringify(plate)}' ${url}/api/v1/events`)
  try {
    for (const run of await playDemo(appliance, parts, dataDir)) {
      const look = run.steps.find(step => step.kind === 'ai')
      const why = look?.reason ?? run.error ?? ''
      print(`${run.workflow.name} just decided: ${look?.outcome ?? run.status} (${why})`)
    }
  } catch (error) {
    print(`The demo could not be shown: ${messageOf(error)}`)
  }
}

/** Where to listen, as far as the command line says. */
function pinnedBy({ host, port, https }: { host?: string; port?: string; https?: string }): Partial<Listen> {
  const mode = HTTPS.find(each => each === https)
  if (https !== undefined && mode === undefined) throw new WrongUse('--https is one of: off, own, files')
  return {
    ...(host !== undefined && { host: readHost(host) }),
    ...(port !== undefined && { port: readPort(port) }),
    ...(mode !== undefined && { https: mode }),
  }
}

function readHost(text: string): string {
  try {
    return hostIn(text)
  } catch {
    throw new WrongUse('--host is an address of this machine, or 0.0.0.0 for all of them')
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new WrongUse(`--port is a number from 0 to 65535`)
  return port
}
