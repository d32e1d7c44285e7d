import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, GatehouseError, iso, messageOf } from '../../core/index.ts'
import { demandShelf } from '../../site/index.ts'
import type { AsOwner } from '../update/as-owner.ts'
import { isPast } from '../update/due.ts'
import { withShelf } from '../update/source.ts'
import { backupName } from './format.ts'
import { backupStatusIn, tellBackups } from './status.ts'

export interface ScheduledOptions {
  owner: AsOwner
  stateDir: string
  clock: Clock
  /** Also where it is not due. */
  now: boolean
}

/**
 * Makes the backup that the site file asks for, where it is due: packed as the owner of the data, written as root to a
 * place that is for that. Answers with its file; null: none is asked for, or due. What came of it is told to everybody.
 */
export async function scheduledBackup({
  owner,
  stateDir,
  clock,
  now: always,
}: ScheduledOptions): Promise<string | null> {
  const { backups, zone, problem } = await owner.settings()
  if (problem !== null)
    throw new GatehouseError('site_invalid', `The site file is not understood: ${problem}`)
  if (!backups) {
    await tellBackups(stateDir, null)
    if (always)
      throw new GatehouseError(
        'not_asked',
        'No backup is asked for: write backups: { to: … } into site.yaml.',
      )
    return null
  }
  const before = backupStatusIn(stateDir)
  const now = clock.now()
  if (!always && !isPast(backups.at, before.made_at, now, zone)) return null
  try {
    const recipient = backups.recipient ?? ''
    const box = await owner.step<string>('box')
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(box))
      throw new GatehouseError('bad_box', 'The box has no id: start it once.')
    const name = backupName(box, now, recipient !== '')
    const made = await withShelf(demandShelf(backups.text, false), true, async shelf => {
      if (shelf.kind !== 'folder') throw new GatehouseError('bad_shelf', 'backups.to is a folder or a disk.')
      demandOwnPlace(shelf.path)
      let bytes = 0
      const unfinished = join(shelf.path, `${name}.unfinished`)
      try {
        const words = ['backup', recipient, backups.pictures ? 'with' : 'without']
        await owner.into(unfinished, count => (bytes = count), ...words)
        await rename(unfinished, join(shelf.path, name))
      } finally {
        await rm(unfinished, { force: true })
      }
      sync(shelf.path)
      await prune(shelf.path, box, backups.keep)
      return { file: join(backups.text, name), bytes }
    })
    const at = iso(now)
    await tellBackups(stateDir, { made_at: at, tried_at: at, problem: null, ...made })
    return made.file
  } catch (error) {
    await tellBackups(stateDir, { ...before, tried_at: iso(now), problem: messageOf(error) })
    throw error
  }
}

/** Whoever writes the site file must not have root write elsewhere by a link. Throws `no_place`. */
function demandOwnPlace(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory())
    throw new GatehouseError('no_place', `${folder} is not there: is the disk plugged in and mounted?`)
  if (realpathSync(folder) !== folder.replace(/(.)\/+$/, '$1'))
    throw new GatehouseError('no_place', `${folder} leads elsewhere by a link: write the real folder.`)
}

async function prune(folder: string, box: string, keep: number): Promise<void> {
  const ours = readdirSync(folder).filter(
    name => name.startsWith(`gatehouse-${box}-`) && /Z\.tar(\.age)?$/.test(name),
  )
  for (const old of ours.sort().reverse().slice(keep)) await rm(join(folder, old), { force: true })
}

function sync(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
