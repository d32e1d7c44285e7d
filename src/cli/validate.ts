import { ModelGates } from '../box/model-gates.ts'
import { boxSpeed } from '../box/speed.ts'
import type { Problem } from '../contract/index.ts'
import { systemClock } from '../core/index.ts'
import { type BoxSpeed, check } from '../engine/index.ts'
import { boxClass, choosePreset, probe } from '../hardware/index.ts'
import { Site, SiteError } from '../site/index.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

export const validate: Command = {
  usage: 'validate [FILE…] [--site FILE] [--data FOLDER] [--json]',
  summary: 'check workflow files, and a site file: every problem at once, with its line and what to do',
  async run(args) {
    const { values, words } = readArgs(args, {
      site: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (!words.length && !values.site)
      throw new WrongUse('name at least one workflow file, or a site file with --site')
    const loaded = values.site ? loadSite(await readText(values.site), values.site) : null
    const site = loaded instanceof Site ? loaded : undefined
    const problems: Problem[] = loaded instanceof Site ? [...loaded.warnings] : [...(loaded ?? [])]
    // Against a site that is not understood, every name would be wrong.
    if (loaded && !site) words.length = 0
    const about = site ? { site, ...boxOf(site, dataFolder(values.data)) } : {}
    for (const file of words) problems.push(...check(await readText(file), { file, ...about }).problems)
    if (values.json) print(JSON.stringify(problems))
    else for (const problem of problems) print(line(problem))
    const bad = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file))
    if (!values.json) print(summary(words.length, bad.size, values.site))
    return bad.size ? exit.failed : exit.done
  },
}

/** What is known of this box: how quick it is, if that was measured, and whether the site's model may investigate. */
function boxOf(site: Site, dataDir: string): { speed: BoxSpeed | null; investigate?: string | null } {
  const hardware = probe({ dataPath: dataDir })
  const preset = choosePreset(hardware)
  const box = boxClass(hardware, preset)
  const gates = new ModelGates({ dataDir, language: () => site.language, box, clock: systemClock })
  return {
    speed: boxSpeed(dataDir, hardware, preset, site),
    ...(site.language && { investigate: gates.why('investigate') }),
  }
}

function loadSite(text: string, file: string): Site | readonly Problem[] {
  try {
    return Site.load(text, file)
  } catch (error) {
    if (error instanceof SiteError) return error.problems
    throw error
  }
}

function summary(files: number, bad: number, site: string | undefined): string {
  const more = bad ? '; once these errors are mended more is looked at, and more may be found' : ''
  if (files) return `${files - bad} of ${files} files can run${more}`
  return bad ? `${site} cannot be used` : `${site} can be used`
}

/** `yard.yaml:12:7 error move_unguarded: …` */
export function line(problem: Problem): string {
  const { file, severity, code, message, fix } = problem
  const at = `${file ?? 'workflow'}:${problem.line}:${problem.column}`
  return `${at} ${severity} ${code}: ${message}${fix ? ` (fix: ${fix.title})` : ''}`
}
