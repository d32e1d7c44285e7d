import { resolve } from 'node:path'
import { checkBackup, restoreBackup } from '../box/backup/restore.ts'
import { systemClock } from '../core/index.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { readPassphrase } from './passphrase.ts'

export const restore: Command = {
  usage: 'restore FILE [--check] [--passphrase-file FILE | --identity FILE] [--data FOLDER] [--json]',
  summary:
    'make this box, which is stopped, what a backup says; what was there is set aside; --check: only look at it',
  async run(args) {
    const { values, words } = readArgs(args, {
      'passphrase-file': { type: 'string' },
      identity: { type: 'string' },
      data: { type: 'string' },
      check: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const [file, more] = words
    if (file === undefined || more !== undefined) throw new WrongUse('restore takes one FILE')
    const key = async () => {
      const { identity } = values
      if (identity === undefined) return { passphrase: await readPassphrase(values['passphrase-file']) }
      const line = (await readText(identity)).split(/\r?\n/).find(each => each.startsWith('AGE-SECRET-KEY-'))
      if (!line) throw new WrongUse(`${identity} holds no key of age`)
      return { identity: line.trim() }
    }
    const dataDir = dataFolder(values.data)
    const { head, end } = values.check
      ? await checkBackup(resolve(file), dataDir, key)
      : await restoreBackup(resolve(file), dataDir, key, systemClock.now())
    if (values.json) print(JSON.stringify({ ...head, pictures: end.media, data: dataDir }))
    else if (values.check)
      print(`${file} is whole: the box ${head.box} as it was at ${head.at}, with ${end.media} pictures.`)
    else {
      print(`${dataDir} is now the box ${head.box} as it was at ${head.at}, with ${end.media} pictures.`)
      if (!head.secrets) print(`Secrets were not in the backup: write them into ${dataDir}/secrets.`)
      print('Start it, look through what it says, then let moves go on: they are paused until you do.')
    }
    return exit.done
  },
}
