import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resources } from '../box/resources.ts'
import { AsOwner } from '../box/update/as-owner.ts'
import { Systemctl } from '../box/update/machine.ts'
import { nameOf } from '../box/update/release.ts'
import { STATE_DIR, UpdateState } from '../box/update/status.ts'
import { makeStateFolder, Updater } from '../box/update/updater.ts'
import { parseDuration } from '../contract/index.ts'
import { GatehouseError, systemClock } from '../core/index.ts'
import { FolderLock } from '../store/index.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

const OPT = '/opt/gatehouse'
const KEY = '/etc/gatehouse/update.pub'
/** An update that is under way is waited for by the service. */
const WAIT_MS = 30 * 60_000

export const update: Command = {
  usage:
    'update [--check | --rollback] [--from FOLDER|FILE|URL] [--dry-run] [--watch 3m] [--json] | update --service',
  summary: 'install a newer release, signed and watched, or go back to the one before; as root',
  async run(args) {
    const { values, words } = readArgs(args, {
      check: { type: 'boolean' },
      rollback: { type: 'boolean' },
      from: { type: 'string' },
      'dry-run': { type: 'boolean' },
      watch: { type: 'string' },
      json: { type: 'boolean' },
      service: { type: 'boolean' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const does = [values.check, values.rollback, values['dry-run'], values.service].filter(Boolean)
    if (does.length > 1) throw new WrongUse('--check, --rollback and --dry-run go each alone')
    if (values.from !== undefined && (values.rollback || values.service))
      throw new WrongUse('--from names a newer release: leave it out')
    const wellMs = parseDuration(values.watch ?? '3m')
    if (wellMs === null) throw new WrongUse('--watch is a duration such as 3m')
    if (process.getuid?.() !== 0)
      throw new GatehouseError('not_root', 'only root may update: sudo gatehouse update')
    if (!existsSync(join(OPT, 'current')))
      throw new GatehouseError(
        'not_installed',
        `${OPT} holds no Gatehouse: updates are for a box that install.sh made`,
      )
    // Whoever started it may go away meanwhile.
    process.on('SIGHUP', () => undefined)
    await makeStateFolder(STATE_DIR)
    const dataDir = dataFolder(undefined)
    const updater = new Updater({
      ...{ opt: OPT, keyFile: KEY, state: new UpdateState(STATE_DIR), clock: systemClock, wellMs },
      owner: await AsOwner.bySystemd(resources().command),
      machine: new Systemctl(dataDir),
      say: line => {
        if (!values.json) print(line)
      },
    })
    const lock = new FolderLock(STATE_DIR)
    await taken(lock, values.service ?? false)
    try {
      if (values.service) await updater.serve()
      else return await byHand(updater, values)
      return exit.done
    } finally {
      lock.release()
    }
  },
}

interface Said {
  check?: boolean
  rollback?: boolean
  from?: string
  'dry-run'?: boolean
  json?: boolean
}

async function byHand(updater: Updater, said: Said): Promise<number> {
  const { json = false } = said
  const tell = (value: unknown, line: string) => print(json ? JSON.stringify(value) : line)
  const from = said.from === undefined ? null : placed(said.from)
  const { version } = updater.installed
  const none = `${version} is installed, and nothing newer is there.`
  if (said.check) {
    const found = await updater.check(from)
    const notes = found?.notes ? ` ${found.notes}` : ''
    const newer = found && { version: found.release.version, notes: found.notes, at: found.at }
    tell(
      { installed: version, newer },
      found ? `${found.release.version} is there: ${found.at}${notes}` : none,
    )
    return exit.done
  }
  if (said['dry-run']) {
    const name = await updater.rehearse(from)
    tell(
      { installed: version, would: name },
      name ? `would install: ${name}, which is signed, whole, and runs here` : none,
    )
    return exit.done
  }
  const resumed = await updater.resume()
  const last = resumed ?? (said.rollback ? await updater.rollBack() : await updater.install(from))
  if (json) print(JSON.stringify(last ?? { outcome: 'none', installed: nameOf(updater.installed) }))
  else if (!last) print(none)
  return !last || last.outcome === 'done' ? exit.done : exit.failed
}

/** A file or folder as root sees it from anywhere. */
const placed = (from: string): string => (/^(https?|label|uuid):/.test(from) ? from : resolve(from))

async function taken(lock: FolderLock, waits: boolean): Promise<void> {
  for (const began = systemClock.now(); ; ) {
    try {
      lock.take(systemClock.now())
      return
    } catch (error) {
      if (!(error instanceof GatehouseError) || error.code !== 'store_locked') throw error
      if (!waits || systemClock.now() - began > WAIT_MS)
        throw new GatehouseError(
          'under_way',
          'an update is under way: journalctl --follow --unit gatehouse-update',
        )
    }
    await new Promise<void>(done => systemClock.after(1_000, done))
  }
}
