import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Appliance } from '../app.ts'
import { eventFor } from '../box/event-for.ts'
import { resources } from '../box/resources.ts'
import { GatehouseError, noLog, type Picture, systemClock } from '../core/index.ts'
import type { RunView } from '../engine/index.ts'
import { Site, selfMapped } from '../site/index.ts'
import { pictureType } from '../vision/index.ts'
import { type Command, exit, print, readArgs, readBytes, readText, WrongUse } from './command.ts'
import { readEventOption, readWorkflow } from './event.ts'
import { checkAnswers, Questions } from './questions.ts'
import { trace } from './trace.ts'
import { line } from './validate.ts'

/** Longest that a foreground run is waited for. */
const PATIENCE_MS = 10 * 60_000

export const run: Command = {
  usage: 'run FILE [--event JSON] [--picture FILE]… [--site FILE] [--on [--answer REPLY]…] [--json]',
  summary: 'one run in the foreground on any photo, with its trace; nothing of it is kept',
  async run(args) {
    const { values, words } = readArgs(args, {
      event: { type: 'string' },
      picture: { type: 'string', multiple: true },
      site: { type: 'string' },
      on: { type: 'boolean' },
      answer: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    })
    const [file] = words
    if (!file || words.length > 1) throw new WrongUse('name one workflow file')
    const yaml = await readText(file)
    const given = readEventOption(values.event)
    const pictures = await Promise.all((values.picture ?? []).map(readPicture))
    const workflow = readWorkflow(yaml, file)
    const answers = values.answer ?? []
    if (answers.length && !values.on) throw new WrongUse('--answer needs --on: in Test nobody is asked')
    checkAnswers(answers, workflow)
    const site = values.site
      ? Site.load(await readText(values.site), values.site)
      : selfMapped(workflow.needs?.destinations)

    const stopped = interrupted()
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-run-'))
    // Nobody is there any more when another try would be due.
    const engine = { tellRetriesMs: [] }
    const appliance = new Appliance({
      dataDir,
      resources: resources(),
      site,
      log: noLog,
      engine,
      ungated: true,
      port: null,
    })
    const questions = new Questions(appliance.engine, answers)
    try {
      await appliance.start()
      // What the file says is for the box that it is meant for: here it acts for nobody who does not say so.
      const saved = await appliance.engine.save(yaml, { file, state: 'test' })
      if (!saved.ok) throw new GatehouseError('workflow_invalid', saved.problems.map(line).join('; '))
      const { id } = saved.workflow
      // No cases here: a person looks at this one run.
      if (values.on) await appliance.engine.setState(id, 'on', undefined, { confirmed: true })
      if (workflow.state === 'on' && !values.on)
        process.stderr.write('The file says on: without --on it is only written down what it would do.\n')
      const event = eventFor(workflow, given, { workflowId: id, pictures, now: systemClock.now() })
      const [admission] = await appliance.engine.submit(event)
      if (!admission?.run) {
        const reason = admission?.reason ?? {
          code: 'no_match',
          message: 'the event does not fit the trigger',
        }
        print(
          values.json ? JSON.stringify({ run: null, reason }) : `no run: ${reason.message} (${reason.code})`,
        )
        return exit.failed
      }
      const view = await Promise.race([settled(appliance, admission.run, questions), stopped])
      print(values.json ? JSON.stringify(view) : trace(view))
      return went(view)
    } finally {
      questions.close()
      await appliance.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** In short spells: a long one would keep the process from ending when it is stopped. */
async function settled({ engine }: Appliance, run: number, questions: Questions): Promise<RunView> {
  let until = systemClock.now() + PATIENCE_MS
  for (;;) {
    const view = await engine.settled(run, 500)
    if (view.ended_at !== null || systemClock.now() > until) return view
    // How long a question is open is the file's to say.
    if (await questions.look()) until = systemClock.now() + PATIENCE_MS
  }
}

/** Rejects when the user stops it: what was made for it is cleared away all the same. */
function interrupted(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new GatehouseError('interrupted', 'stopped before the run had ended'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // It may be stopped before anybody waits for this.
  promise.catch(() => undefined)
  return promise
}

function went(view: RunView): number {
  return view.status === 'done' ? exit.done : exit.failed
}

/** A photo handed over now is judged as taken now: its age is the caller's to know. */
async function readPicture(path: string): Promise<Picture> {
  const bytes = await readBytes(path)
  if (!pictureType(bytes)) throw new WrongUse(`${path}: it is not a JPEG, PNG or WebP picture`)
  return { bytes, takenAt: systemClock.now(), source: basename(path) }
}
