import { GatehouseError, messageOf } from '../core/index.ts'
import { SiteError } from '../site/index.ts'
import { type Command, exit, print } from './command.ts'

/** Each command is loaded when it is called: a start pays for what it uses. */
const commands: Record<string, () => Promise<Command>> = {
  up: async () => (await import('./up.ts')).up,
  run: async () => (await import('./run.ts')).run,
  try: async () => (await import('./try.ts')).tryCommand,
  doctor: async () => (await import('./doctor.ts')).doctor,
  test: async () => (await import('./test.ts')).test,
  message: async () => (await import('./message.ts')).message,
  draft: async () => (await import('./draft.ts')).draft,
  validate: async () => (await import('./validate.ts')).validate,
  eval: async () => (await import('./eval.ts')).evalCommand,
  hardware: async () => (await import('./hardware.ts')).hardware,
  nvr: async () => (await import('./nvr.ts')).nvr,
  models: async () => (await import('./models.ts')).models,
  bench: async () => (await import('./bench.ts')).bench,
  users: async () => (await import('./users.ts')).users,
  tokens: async () => (await import('./tokens.ts')).tokens,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  forget: async () => (await import('./forget.ts')).forget,
  rescue: async () => (await import('./rescue.ts')).rescue,
  update: async () => (await import('./update.ts')).update,
  version: async () => (await import('./version.ts')).versionCommand,
}

/** The child process that holds the models, with arguments the service of such; no command for people. */
const INFERENCE = 'inference'
/** What root has done as the owner of the data; no command for people either. */
const OWNER_STEP = 'owner-step'

/** Runs one command line (without the program's name) and answers with its exit code. */
export async function cli(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === INFERENCE && !rest.length) return (await import('./inference.ts')).serve()
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help()
  if (name === '--version' || name === '-v') return cli(['version', ...rest])
  const load = loaderOf(name)
  if (!load) {
    complain(`there is no command “${name}”; the commands are: ${Object.keys(commands).join(', ')}`)
    return exit.wrongUse
  }
  try {
    const command = await load()
    if (rest.includes('--help') || rest.includes('-h')) {
      print(`usage: gatehouse ${command.usage}\n${command.summary}`)
      return exit.done
    }
    return await command.run(rest)
  } catch (error) {
    for (const line of linesOf(error)) complain(line)
    if (!(error instanceof GatehouseError)) return exit.failed
    return error.code === 'wrong_use' ? exit.wrongUse : exit.failed
  }
}

function loaderOf(name: string): (() => Promise<Command>) | undefined {
  if (name === OWNER_STEP) return async () => (await import('./owner-step.ts')).ownerStepCommand
  if (name === INFERENCE) return async () => (await import('./inference-service.ts')).inferenceService
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

async function help(): Promise<number> {
  print('Gatehouse decides what to do about what the cameras see.\n')
  for (const load of Object.values(commands)) {
    const { usage, summary } = await load()
    print(`  gatehouse ${usage}\n      ${summary}`)
  }
  return exit.done
}

/** One line; of a site file one for each of its faults. */
function linesOf(error: unknown): string[] {
  if (error instanceof SiteError)
    return error.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
  return [messageOf(error)]
}

function complain(line: string): void {
  process.stderr.write(`gatehouse: ${line}\n`)
}
