import { resources } from '../box/resources.ts'
import { Systemd } from '../box/systemd.ts'
import { createLog, systemClock } from '../core/index.ts'
import { InferenceListener } from '../inference/index.ts'
import { type Command, exit, readArgs, signalled, WrongUse } from './command.ts'

/** For a service manager: gives each connection at a Unix socket such a child, until it is told to end. */
export const inferenceService: Command = {
  usage: 'inference --listen SOCKET',
  summary: 'hold the models as a service of its own (the engine: GATEHOUSE_INFERENCE_SOCKET)',
  async run(args) {
    const { values, words } = readArgs(args, { listen: { type: 'string' } })
    const path = values.listen
    if (!path?.startsWith('/') || words.length) throw new WrongUse('--listen takes the path of a socket')
    const log = createLog('warn')
    const listener = new InferenceListener({ path, command: [...resources().command, 'inference'], log })
    const ended = signalled()
    await listener.start()
    const systemd = new Systemd({ commit: async () => undefined, clock: systemClock, log })
    systemd.start('Holds the models')
    await ended
    systemd.stop()
    await listener.stop()
    return exit.done
  },
}
