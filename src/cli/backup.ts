import { resolve } from 'node:path'
import { giveToOwner } from '../box/backup/owner.ts'
import { resources } from '../box/resources.ts'
import { STATE_DIR } from '../box/update/status.ts'
import { systemClock } from '../core/index.ts'
import { makeCopy } from '../store/index.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { readPassphrase } from './passphrase.ts'

/** Copies of the database in the data folder itself: against a disk that damages a file, not against its loss. */
const COPIES = 3

export const backup: Command = {
  usage:
    'backup --to FOLDER|FILE [--encrypt [--passphrase-file FILE] | --recipient age1…] [--no-pictures] [--keep 7] ' +
    '[--data FOLDER] [--json] | backup --copy [--data FOLDER] | backup --scheduled [--now]',
  summary:
    'save the whole box while it runs, secrets only if encrypted; --copy: only the database, beside itself; --scheduled: as site.yaml says',
  async run(args) {
    const { values, words } = readArgs(args, {
      to: { type: 'string' },
      encrypt: { type: 'boolean' },
      'passphrase-file': { type: 'string' },
      recipient: { type: 'string' },
      'no-pictures': { type: 'boolean' },
      keep: { type: 'string' },
      copy: { type: 'boolean' },
      scheduled: { type: 'boolean' },
      now: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const { to, encrypt, recipient, copy } = values
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    if (values.scheduled) return scheduled(values.now ?? false)
    if ((to === undefined) === !copy) throw new WrongUse('say where to, with --to FOLDER|FILE, or --copy')
    if (encrypt && recipient !== undefined)
      throw new WrongUse('--encrypt asks for a passphrase, --recipient needs none')
    const keep = Number(values.keep ?? 7)
    if (!Number.isInteger(keep) || keep < 1) throw new WrongUse('--keep is a number from 1')
    const dataDir = dataFolder(values.data)
    const now = systemClock.now()
    try {
      if (to === undefined) {
        print((await makeCopy(dataDir, now, COPIES)).path)
        return exit.done
      }
      const passphrase = encrypt ? await readPassphrase(values['passphrase-file']) : null
      const seal = passphrase !== null ? { passphrase } : recipient === undefined ? null : { recipient }
      const { pourBackup, writeBackup } = await import('../box/backup/write.ts')
      const pictures = !values['no-pictures']
      if (to === '-') {
        await pourBackup({ dataDir, seal, pictures, now }, toStdout)
        return exit.done
      }
      const made = await writeBackup({ dataDir, to: resolve(to), seal, pictures, keep, now })
      if (values.json) print(JSON.stringify(made))
      else {
        print(`${made.file} (${Math.ceil(made.bytes / 1e6)} MB, ${made.media} pictures)`)
        if (!made.secrets)
          print('Secrets are not in it, for it is not encrypted: keep them elsewhere, or use --encrypt.')
      }
      return exit.done
    } finally {
      await giveToOwner(dataDir).catch(() => undefined)
    }
  },
}

async function toStdout(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of stream)
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, error => (error ? reject(error) : resolve()))
    })
}

/** What the timer of the appliance starts. */
async function scheduled(now: boolean): Promise<number> {
  const { scheduledBackup } = await import('../box/backup/scheduled.ts')
  const { AsOwner } = await import('../box/update/as-owner.ts')
  const owner = await AsOwner.bySystemd(resources().command)
  const file = await scheduledBackup({ owner, stateDir: STATE_DIR, clock: systemClock, now })
  if (file !== null) print(file)
  return exit.done
}
