/**
 * `bun firmware-scripts/fleet.ts sites.csv --template site.yaml --out FOLDER`: for each row of a table the files that go
 * onto the boot partition of a box. Everything is read as the box will read it before anything is written.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Site, SiteError } from '../src/site/index.ts'
import { firstBoot, isBoxName } from './fleet/first-boot.ts'
import { type Row, readTable, shown, type Wrong } from './fleet/table.ts'
import { fill, secretsIn } from './fleet/template.ts'

const usage = `usage: fleet.ts FILE.csv --out FOLDER [options]

  --template FILE  the site file of all boxes, with <column> where a cell goes (default: site.yaml beside the table);
                   a column "template" names another one for its row
  --out FOLDER     gets a folder for each box: copy what lies in it onto the box's boot partition
  --force          replace folders of boxes that are there already
  --dry-run        check everything; write nothing
  --help           this

Columns: box (its name and folder), host_name, time_zone, address, gateway, dns, port, ssh_key, secret:NAME for each
secret; every other one fills its <column> in the template. exit codes: 0 done, 1 something is wrong, 2 wrong use`

/** One box's files: path in its folder → content. Those of `secrets/` are for their owner alone. */
interface Box {
  name: string
  files: Map<string, string>
}

/** Makes the files of every row; what is wrong goes into `wrong`, what is odd into `odd`. */
export async function boxesOf(
  table: { path: string; template: string },
  wrong: Wrong[],
  odd: Wrong[],
): Promise<Box[]> {
  const { rows, columns } = readTable(await readFile(table.path), wrong)
  if (!rows.length && !wrong.length) wrong.push({ line: 1, message: 'there is no box in it' })
  onceEach(rows, ['box', 'host_name', 'address'], wrong)
  const templates = new Map<string, string>()
  const boxes: Box[] = []
  for (const row of rows) {
    const name = row.cells.get('box') ?? ''
    if (!isBoxName(name)) {
      wrong.push({
        line: row.line,
        message: `box "${shown(name)}" is to be small letters, digits and "-", 63 at most`,
      })
      continue
    }
    const own = row.cells.get('template')
    const path = own ? resolve(dirname(table.path), own) : table.template
    try {
      if (!templates.has(path)) templates.set(path, await readFile(path, 'utf8'))
    } catch {
      wrong.push({
        line: row.line,
        message: `${shown(basename(path))} cannot be read: name a site file as template`,
      })
      continue
    }
    boxes.push({ name, files: filesOf(row, columns, templates.get(path) ?? '', wrong, odd) })
  }
  return boxes
}

function filesOf(
  row: Row,
  columns: readonly string[],
  template: string,
  wrong: Wrong[],
  odd: Wrong[],
): Map<string, string> {
  const before = wrong.length
  const site = fill(template, row, wrong)
  const files = new Map([
    ['site.yaml', site],
    ['gatehouse-first-boot.yaml', firstBoot(row, wrong)],
  ])
  const asked = secretsIn(site)
  for (const column of columns.filter(column => column.startsWith('secret:'))) {
    const name = column.slice('secret:'.length)
    const value = row.cells.get(column)
    if (value) files.set(`secrets/${name}`, value)
    if (value && !asked.has(name))
      odd.push({ line: row.line, message: `the site file never asks for secret ${name}` })
  }
  for (const name of asked)
    if (!files.has(`secrets/${name}`))
      odd.push({ line: row.line, message: `no secret:${shown(name)} is given: lay it onto the box by hand` })
  // Where the text itself could not be made, what the reader says of it would mislead.
  if (wrong.length === before) readSite(site, row, wrong, odd)
  return files
}

function readSite(site: string, row: Row, wrong: Wrong[], odd: Wrong[]): void {
  const say = (to: Wrong[], { line, column, message }: { line: number; column: number; message: string }) =>
    to.push({ line: row.line, message: `site.yaml:${line}:${column} ${message}` })
  try {
    for (const warning of Site.load(site, 'site.yaml').warnings) say(odd, warning)
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    for (const problem of error.problems) say(problem.severity === 'error' ? wrong : odd, problem)
  }
}

/** No two boxes may have the same name or address. */
function onceEach(rows: readonly Row[], columns: readonly string[], wrong: Wrong[]): void {
  for (const column of columns) {
    const first = new Map<string, number>()
    for (const { line, cells } of rows) {
      const value = (cells.get(column) ?? '').split('/')[0] ?? ''
      if (!value) continue
      const other = first.get(value)
      if (other === undefined) first.set(value, line)
      else wrong.push({ line, message: `${column} ${shown(value)} is in line ${other}, too` })
    }
  }
}

async function write({ name, files }: Box, out: string): Promise<void> {
  const folder = join(out, name)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'secrets'), { recursive: true, mode: 0o700 })
  for (const [path, content] of files)
    await writeFile(join(partial, path), content, { mode: path.startsWith('secrets/') ? 0o600 : 0o644 })
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
}

function fail(why: string): never {
  console.error(`fleet.ts: ${why} (see --help)`)
  process.exit(2)
}

function argsOf() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        out: { type: 'string' },
        force: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

async function main(): Promise<number> {
  const { values, positionals } = argsOf()
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [csv] = positionals
  if (csv === undefined || positionals.length > 1) fail('name one table of boxes')
  if (values.out === undefined && !values['dry-run']) fail('--out is missing')
  if (!existsSync(csv)) fail(`${csv} is not there`)
  const template = values.template ?? join(dirname(csv), 'site.yaml')
  const [wrong, odd]: [Wrong[], Wrong[]] = [[], []]
  const boxes = await boxesOf({ path: csv, template }, wrong, odd)
  const out = resolve(values.out ?? '.')
  const there = boxes.find(({ name }) => !values.force && !values['dry-run'] && existsSync(join(out, name)))
  const say = (list: Wrong[], word: string) => {
    for (const { line, message } of list.toSorted((a, b) => a.line - b.line))
      console.error(`${csv}:${line} ${word}: ${message}`)
  }
  say(odd, 'mind')
  say(wrong, 'error')
  if (wrong.length) {
    console.error(`${wrong.length} to be mended: nothing was written`)
    return 1
  }
  if (there) {
    console.error(`${join(out, there.name)} is there already: say --force to replace it`)
    return 1
  }
  if (values['dry-run']) {
    console.log(`Boxes that are in order: ${boxes.length}. Nothing was written.`)
    return 0
  }
  for (const box of boxes) await write(box, out)
  console.log(
    `${boxes.length} boxes are in ${out}: copy what lies in a folder onto the boot partition of its box`,
  )
  return 0
}

if (import.meta.main) process.exitCode = await main()
