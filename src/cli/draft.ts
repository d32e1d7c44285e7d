import { Drafter } from '../box/drafting.ts'
import { resources } from '../box/resources.ts'
import type { Problem } from '../contract/index.ts'
import { GatehouseError, systemClock } from '../core/index.ts'
import { check } from '../engine/index.ts'
import { Site } from '../site/index.ts'
import { askBox, type Meant } from './box.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { evalBox } from './eval-box.ts'
import { line } from './validate.ts'

/** What is printed. */
interface Answer {
  yaml: string
  problems: Problem[]
  rounds: number
  model: string
}

export const draft: Command = {
  usage: 'draft "SENTENCE" [--site FILE] [--data FOLDER | --port N] [--json]',
  summary:
    'a workflow out of a sentence, by the box that is up, or by the model of a site file; saved nowhere',
  async run(args) {
    const { values, words } = readArgs(args, {
      site: { type: 'string' },
      data: { type: 'string' },
      port: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [sentence] = words
    if (sentence === undefined || words.length > 1) throw new WrongUse('say one sentence, in quotes')
    const answer =
      values.site === undefined
        ? await ofBox(sentence, { port: values.port, data: values.data })
        : await ofSite(sentence, Site.load(await readText(values.site), values.site), values.data)
    const { yaml, problems, rounds, model } = answer
    if (values.json) print(JSON.stringify({ yaml, problems, rounds, model }))
    else {
      process.stdout.write(yaml)
      for (const each of problems) process.stderr.write(`${line({ ...each, file: 'draft' })}\n`)
    }
    return problems.some(({ severity }) => severity === 'error') ? exit.failed : exit.done
  },
}

async function ofBox(sentence: string, meant: Meant): Promise<Answer> {
  const init = { type: 'application/json', body: JSON.stringify({ sentence }) }
  const how = 'start it with gatehouse up, name its --port, or name a site file with --site'
  const response = await askBox('/api/v1/workflows/draft', init, meant, how)
  const body = (await response.json()) as Answer & { code?: string; detail?: string }
  if (response.ok) return body
  throw new GatehouseError(body.code ?? 'not_drafted', body.detail ?? `the box answered ${response.status}`)
}

/** A person reads what comes of it: the model need not have passed anything. */
async function ofSite(sentence: string, site: Site, data: string | undefined): Promise<Answer> {
  const box = evalBox(site, dataFolder(data), resources())
  try {
    const drafter = new Drafter({
      site: () => site,
      language: () => box.language,
      barred: () => null,
      investigates: () => true,
      check: yaml => check(yaml, { site }),
      clock: systemClock,
    })
    return await drafter.draft(sentence)
  } finally {
    await box.stop()
  }
}
