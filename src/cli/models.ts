import { type Command, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { list } from './models-list.ts'
import { add, type ModelsCall, pullModel, remove, verifyModels } from './models-work.ts'

/** What each word does, and how many names it takes. */
const works: Record<string, { names: [number, number]; run: (call: ModelsCall) => Promise<number> }> = {
  list: { names: [0, 0], run: list },
  add: { names: [1, 1], run: add },
  pull: { names: [1, 1], run: pullModel },
  verify: { names: [0, 1], run: verifyModels },
  remove: { names: [1, 1], run: remove },
}

export const models: Command = {
  usage:
    'models list | add FILE|FOLDER | pull NAME | verify [NAME] | remove NAME [--force] [--data FOLDER] [--json]',
  summary: 'the models of this box: what ships, what you brought, what fits it; take one from a USB stick',
  async run(args) {
    const { values, words } = readArgs(args, {
      json: { type: 'boolean' },
      force: { type: 'boolean' },
      data: { type: 'string' },
    })
    const [word = '', ...names] = words
    const work = Object.hasOwn(works, word) ? works[word] : undefined
    if (!work || names.length < work.names[0] || names.length > work.names[1])
      throw new WrongUse(
        'say "models list", "models add FILE" (or a folder), "models pull NAME", "models verify" or "models remove NAME"',
      )
    return work.run({
      name: names[0] ?? null,
      dataDir: dataFolder(values.data),
      force: values.force ?? false,
      json: values.json ?? false,
    })
  },
}
