import { ownerStep } from '../box/update/owner.ts'
import { type Command, exit } from './command.ts'
import { dataFolder } from './data-folder.ts'

/** What `gatehouse update` has done as the owner of the data; no command for people. */
export const ownerStepCommand: Command = {
  usage: 'owner-step STEP',
  summary: 'a step of an update or a backup, with the rights of the data alone',
  async run(words) {
    await ownerStep(words, dataFolder(undefined), async found => {
      for await (const chunk of found)
        await new Promise<void>((resolve, reject) => {
          process.stdout.write(chunk, error => (error ? reject(error) : resolve()))
        })
    })
    return exit.done
  },
}
