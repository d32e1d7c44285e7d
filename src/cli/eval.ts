import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Comparison,
  compare,
  fingerprintOf,
  markdownOf,
  pageOf,
  type Report,
  readReport,
  reliabilityPlot,
  reportOf,
  type Split,
  SUITES,
  type Suite,
} from '../ai/eval/index.ts'
import { identityOf } from '../box/model-gates.ts'
import { resources } from '../box/resources.ts'
import { version } from '../box/version.ts'
import { GatehouseError } from '../core/index.ts'
import { Evaluations } from '../models/index.ts'
import { Site } from '../site/index.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { evalBox } from './eval-box.ts'
import { loadCases } from './eval-cases.ts'
import { runCases } from './eval-run.ts'

export const evalCommand: Command = {
  usage:
    'eval [--suite look|investigate|draft|all] [--seen | --held-out] [--cases FOLDER] [--site FILE] [--data FOLDER] [--fixtures] [--out FOLDER] [--compare REPORT.json] [--json]',
  summary:
    'judge the language model of the site by cases; what it passes is offered on this box from then on',
  async run(args) {
    const { values, words } = readArgs(args, {
      suite: { type: 'string' },
      seen: { type: 'boolean' },
      'held-out': { type: 'boolean' },
      cases: { type: 'string' },
      site: { type: 'string' },
      data: { type: 'string' },
      fixtures: { type: 'boolean' },
      out: { type: 'string' },
      compare: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const suites = suitesOf(values.suite ?? 'all')
    const splits = splitsOf(values.seen ?? false, values['held-out'] ?? false)
    const before =
      values.compare === undefined ? null : readReport(await readText(values.compare), values.compare)
    const parts = resources()
    const dataDir = dataFolder(values.data)
    const folder = values.cases ?? join(parts.models, 'eval')
    const cases = await loadCases(folder, { suites, splits })
    const site = await siteOf(values.site ?? join(dataDir, 'site.yaml'), values.site !== undefined)
    const box = evalBox(site, dataDir, parts)
    const fixtures = values.fixtures ?? false
    if (!fixtures && !box.language && !cases.some(({ suite }) => suite === 'look'))
      throw new GatehouseError(
        'no_language_model',
        'there is no language model to judge: name one under language in the site file, or say --fixtures to try the cases themselves',
      )
    const stop = stopped()
    const pictures = [join(folder, 'pictures'), join(parts.templates, 'cases/pictures')]
    try {
      const { results, leftOut } = await runCases(cases, {
        box,
        fixtures,
        pictures,
        signal: stop.signal,
        tell: values.json ? () => {} : tell,
      })
      const { language } = box
      const pictured = cases.some(one => one.suite === 'look' && one.picture !== undefined)
      const who = site.language && identityOf(site.language, dataDir)
      const judged = !fixtures && language ? language : null
      const report = reportOf(
        {
          at: new Date().toISOString(),
          version,
          mode: fixtures ? 'fixtures' : 'live',
          model: judged && {
            name: who?.model ?? judged.name,
            hash: who?.hash ?? null,
            backend: judged.backend,
            sees: judged.sees,
          },
          vision: pictured && !fixtures ? (box.vision?.name ?? null) : null,
          eyes: pictured ? box.eyesName : null,
          box: { class: box.class, about: box.about },
          cases: { own: values.cases === undefined, fingerprint: fingerprintOf(cases), suites, splits },
        },
        results,
        leftOut,
      )
      const comparison = before && compare(before, report)
      if (values.out !== undefined) await write(values.out, report, comparison)
      if (values.json) print(JSON.stringify(comparison ? { ...report, comparison } : report))
      else print(markdownOf(report, comparison).trimEnd())
      await keep(report, dataDir, who !== null)
      // Answers made out of what is expected are right, or the harness is not.
      if (fixtures) return results.length && results.every(({ right }) => right) ? exit.done : exit.failed
      if (leftOut.some(({ absent }) => absent)) {
        const how = 'the model gave no answer to some cases, so that no gate was judged: see that it runs'
        throw new GatehouseError('llm_down', `${how}, then judge it again`)
      }
      return results.length ? exit.done : exit.failed
    } finally {
      stop.done()
      await box.stop()
    }
  },
}

function suitesOf(text: string): Suite[] {
  if (text === 'all') return [...SUITES]
  const suite = SUITES.find(each => each === text)
  if (!suite) throw new WrongUse(`--suite is one of: ${SUITES.join(', ')}, all`)
  return [suite]
}

function splitsOf(seen: boolean, heldOut: boolean): Split[] {
  if (seen && heldOut) throw new WrongUse('say --seen or --held-out, or neither for both')
  return seen ? ['seen'] : heldOut ? ['held_out'] : ['seen', 'held_out']
}

async function siteOf(file: string, told: boolean): Promise<Site> {
  return Site.load(told || existsSync(file) ? await readText(file) : '', file)
}

/** Keeps what the gates are judged by. */
async function keep({ gates, model, box, cases }: Report, dataDir: string, known: boolean): Promise<void> {
  if (!gates.length || !model) return
  if (!known) {
    process.stderr.write(
      'Not kept: the model is not known by its hash. Run "gatehouse models add" with its file first.\n',
    )
    return
  }
  const common = {
    model: model.name,
    hash: model.hash,
    box: box.class,
    fingerprint: cases.fingerprint,
    version,
    at: Date.now(),
  }
  await new Evaluations(dataDir).put(gates.map(({ suite, score }) => ({ suite, ...score, ...common })))
}

async function write(folder: string, report: Report, comparison: Comparison | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  const full = comparison ? { ...report, comparison } : report
  await Bun.write(join(folder, 'report.json'), `${JSON.stringify(full, null, 1)}\n`)
  await Bun.write(join(folder, 'report.md'), markdownOf(report, comparison))
  await Bun.write(join(folder, 'report.html'), pageOf(report, comparison))
  for (const each of report.calibration)
    await Bun.write(join(folder, `calibration-${each.source}.svg`), reliabilityPlot(each.source, each))
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Breaks off what runs when the user stops it; what was done by then is reported. */
function stopped(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, abort)
  return {
    signal: controller.signal,
    done: () => {
      for (const signal of signals) process.off(signal, abort)
    },
  }
}
