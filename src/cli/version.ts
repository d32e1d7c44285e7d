import { version } from '../box/version.ts'
import { schemaOf } from '../store/index.ts'
import { type Command, exit, print, readArgs } from './command.ts'

export const versionCommand: Command = {
  usage: 'version [--json]',
  summary: 'say which version this is',
  async run(args) {
    const { values } = readArgs(args, { json: { type: 'boolean' } })
    print(
      values.json
        ? JSON.stringify({ version, bun: Bun.version, schema: schemaOf('').known })
        : `gatehouse ${version} (Bun ${Bun.version})`,
    )
    return exit.done
  },
}
