import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clearStarts, startsIn } from '../box/starts.ts'
import { iso } from '../core/index.ts'
import { copiesIn } from '../store/index.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

export const rescue: Command = {
  usage: 'rescue [--clear] [--data FOLDER] [--json]',
  summary:
    'what the box did to help itself: failed starts, copies, what was set aside; --clear leaves safe mode',
  async run(args) {
    const { values, words } = readArgs(args, {
      clear: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const dir = dataFolder(values.data)
    if (values.clear) clearStarts(dir)
    const starts = startsIn(dir)
    const copies = copiesIn(dir).map(({ path, at }) => ({ path, at: iso(at) }))
    const aside = join(dir, 'damaged')
    const damaged = existsSync(aside) ? readdirSync(aside).sort() : []
    if (values.json) {
      print(JSON.stringify({ starts, copies, damaged }))
      return exit.done
    }
    if (values.clear) print('The next start is one like any other; a box in safe mode leaves it now.')
    print(
      starts.failed
        ? `Starts since the last that went well: ${starts.failed}, the last at ${starts.last}`
        : 'The last start went well',
    )
    if (starts.said) print(`It said: ${starts.said}`)
    for (const { path, at } of copies) print(`Copy of ${at}: ${path}`)
    if (!copies.length) print('No copy of the database yet: there is one after ten minutes')
    for (const name of damaged) print(`Set aside: ${join(aside, name)}`)
    return exit.done
  },
}
