import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Appliance } from '../app.ts'
import { GatehouseError, noLog, type Picture, systemClock } from '../core/index.ts'
import type { RunView } from '../engine/index.ts'
import { resources } from '../resources.ts'
import { Site, selfMapped } from '../site/index.ts'
import { type Command, exit, print, readArgs, readBytes, readText, WrongUse } from './command.ts'
import { eventFor, readEventOption, readWorkflow } from './event.ts'
import { trace } from './trace.ts'
import { line } from './validate.ts'

/** Longest that a foreground run is waited for. */
const PATIENCE_MS = 10 * 60_000

export const run: Command = {
  usage: 'run FILE [--event JSON] [--picture FILE]… [--site FILE] [--on] [--json]',
  summary: 'one run in the foreground on any photo, with its trace; nothing of it is kept',
  async run(args) {
    const { values, words } = readArgs(args, {
      event: { type: 'string' },
      picture: { type: 'string', multiple: true },
      site: { type: 'string' },
      on: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const [file] = words
    if (!file || words.length > 1) throw new WrongUse('name one workflow file')
    const yaml = await readText(file)
    const given = readEventOption(values.event)
    const pictures = await Promise.all((values.picture ?? []).map(readPicture))
    const site = values.site ? Site.load(await readText(values.site), values.site) : selfMapped()
    const workflow = readWorkflow(yaml, file)

    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-run-'))
    // Nobody is there any more when another try would be due.
    const engine = { tellRetriesMs: [] }
    const appliance = new Appliance({ dataDir, resources: resources(), site, log: noLog, engine, port: null })
    try {
      await appliance.start()
      const saved = await appliance.engine.save(yaml, { file })
      if (!saved.ok) throw new GatehouseError('workflow_invalid', saved.problems.map(line).join('; '))
      const { id, state } = saved.workflow
      if (values.on || state === 'off') await appliance.engine.setState(id, values.on ? 'on' : 'test')
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
      const view = await appliance.engine.settled(admission.run, PATIENCE_MS)
      print(values.json ? JSON.stringify(view) : trace(view))
      return went(view)
    } finally {
      await appliance.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

function went(view: RunView): number {
  return view.status === 'done' ? exit.done : exit.failed
}

/** A photo handed over now is judged as taken now: its age is the caller's to know. */
async function readPicture(path: string): Promise<Picture> {
  return { bytes: await readBytes(path), takenAt: systemClock.now(), source: basename(path) }
}
