import { tmpdir } from 'node:os'
import { resources } from '../box/resources.ts'
import { CYCLES, DAYS_KEPT, FILE_SYSTEM, FLASH, measureWear, RUNS_A_DAY } from '../box/wear.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'

const MB = 1e6

export const bench: Command = {
  usage: 'bench wear [--folder FOLDER] [--json]',
  summary:
    'what a box writes to its flash in a day, and the years that gives; FOLDER is on the disk that is meant. Takes a minute',
  async run(args) {
    const { values, words } = readArgs(args, { folder: { type: 'string' }, json: { type: 'boolean' } })
    if (words.length !== 1 || words[0] !== 'wear')
      throw new WrongUse('say what is to be measured: bench wear (how quick the box is: hardware --measure)')
    const wear = await measureWear(values.folder ?? tmpdir(), resources())
    if (values.json) {
      print(JSON.stringify(wear))
      return exit.done
    }
    const mb = (bytes: number) => `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`
    print(`While it idles, a day:            ${mb(wear.idleADay)}`)
    print(`For a run with its picture:       ${mb(wear.perRun)}, of that the picture ${mb(wear.picture)}`)
    print(`The daily copy, after ${DAYS_KEPT} days:    ${mb(wear.copyADay)}`)
    print(`In all, at ${RUNS_A_DAY} runs a day:        ${mb(wear.aDay)}`)
    print(`An eMMC of 32 GB lasts:           ${Math.floor(wear.years)} years`)
    print(
      `(cells are written ${CYCLES} times; the file system writes ${FILE_SYSTEM} times that, the flash ${FLASH} times that again)`,
    )
    return exit.done
  },
}
