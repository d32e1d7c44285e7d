import type { Problem } from '../contract/index.ts'
import { check } from '../engine/index.ts'
import { Site } from '../site/index.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'

export const validate: Command = {
  usage: 'validate FILE… [--site FILE] [--json]',
  summary: 'check workflow files: every problem at once, with its line and what to do',
  async run(args) {
    const { values, words } = readArgs(args, { site: { type: 'string' }, json: { type: 'boolean' } })
    if (!words.length) throw new WrongUse('name at least one workflow file')
    const site = values.site ? Site.load(await readText(values.site), values.site) : undefined
    const problems: Problem[] = []
    for (const file of words)
      problems.push(...check(await readText(file), { file, ...(site && { site }) }).problems)
    if (values.json) print(JSON.stringify(problems))
    else for (const problem of problems) print(line(problem))
    const bad = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file))
    if (!values.json) print(`${words.length - bad.size} of ${words.length} files can run`)
    return bad.size ? exit.failed : exit.done
  },
}

/** `yard.yaml:12:7 error move_unguarded: …` */
export function line(problem: Problem): string {
  const { file, severity, code, message, fix } = problem
  const at = `${file ?? 'workflow'}:${problem.line}:${problem.column}`
  return `${at} ${severity} ${code}: ${message}${fix ? ` (fix: ${fix.title})` : ''}`
}
