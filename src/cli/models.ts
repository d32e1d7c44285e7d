import { Catalogue, verify } from '../models/index.ts'
import { resources } from '../resources.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'

export const models: Command = {
  usage: 'models list|verify [--json]',
  summary: 'the model files of this box: what they are for, their licences, whether they are whole',
  async run(args) {
    const { values, words } = readArgs(args, { json: { type: 'boolean' } })
    const catalogue = Catalogue.load(resources().models)
    if (words[0] === 'list' && words.length === 1) {
      if (values.json) print(JSON.stringify(catalogue.models))
      else
        for (const { name, description, licence } of catalogue.models)
          print(`${name}: ${description} ${licence}`)
      return exit.done
    }
    if (words[0] !== 'verify' || words.length !== 1)
      throw new WrongUse('say "models list" or "models verify"')
    const checks = await verify(catalogue)
    if (values.json) print(JSON.stringify(checks))
    else for (const { model, path, state, message } of checks) print(`${model} ${path}: ${message || state}`)
    return checks.every(({ state }) => state === 'ok') ? exit.done : exit.failed
  },
}
