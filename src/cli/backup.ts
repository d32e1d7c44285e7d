import { systemClock } from '../core/index.ts'
import { makeCopy } from '../store/index.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

/** Copies of the database in the data folder itself: against a disk that damages a file, not against its loss. */
const COPIES = 3

export const backup: Command = {
  usage: 'backup --copy [--data FOLDER]',
  summary: 'copy the database beside itself, as the box does once a day',
  async run(args) {
    const { values, words } = readArgs(args, { copy: { type: 'boolean' }, data: { type: 'string' } })
    if (words.length || !values.copy) throw new WrongUse('backup takes --copy')
    const dataDir = dataFolder(values.data)
    const { path } = await makeCopy(dataDir, systemClock.now(), COPIES)
    print(path)
    return exit.done
  },
}
