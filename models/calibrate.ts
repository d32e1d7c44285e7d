/**
 * Measures on labelled pictures what the models' scores are worth and writes it into `catalog.yaml`:
 * `bun models/calibrate.ts [ROOT]`, where ROOT holds the folders that `cases.yaml` names (default `/`).
 *
 * Each picture counts once, seen in four ways (as it is, mirrored, at dusk, from twice as far). Few cases make no
 * certainty: see `curve.ts`. People, vehicles and animals share one curve: apart, each has too few cases.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { parse, parseDocument } from 'yaml'
import { noLog } from '../src/core/index.ts'
import { Supervisor } from '../src/inference/index.ts'
import { Catalogue } from '../src/models/index.ts'
import { detectorOf, Eyes, labelsOf, readerOf, type Seen, type TextLine } from '../src/vision/index.ts'
import { type Case, curveOf } from './curve.ts'

const GROUPS = ['person', 'vehicle', 'animal'] as const
const THING_STEPS = [0.4, 0.43, 0.46, 0.5, 0.55, 0.6, 0.7]
const TEXT_STEPS = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98]

interface Label {
  on: string[]
  text?: string[]
}
interface Picture extends Label {
  path: string
}

const here = import.meta.dirname
const own = join(here, '../templates/cases/pictures')
const catalogue = Catalogue.load(here)
const detector = catalogue.forTask('detect')
const reader = catalogue.forTask('read')
const inference = new Supervisor({
  command: [process.execPath, join(here, '../src/main.ts'), 'inference'],
  modelsDir: catalogue.filesDir,
  log: noLog,
})
const eyes = new Eyes(inference, { detector: detectorOf(detector), reader: readerOf(reader) })

function pictures(root: string): Picture[] {
  const label = (dir: string, labels: Record<string, Label>): Picture[] =>
    Object.entries(labels).map(([name, on]) => ({ path: join(dir, name), ...on }))
  const all = label(own, parse(readFileSync(join(own, 'labels.yaml'), 'utf8')))
  const sets: { dir: string; pictures: Record<string, Label> }[] = parse(
    readFileSync(join(here, 'cases.yaml'), 'utf8'),
  )
  for (const { dir, pictures } of sets) all.push(...label(join(root, dir), pictures))
  const missing = all.filter(({ path }) => !existsSync(path))
  for (const { path } of missing) console.error(`not there, left out: ${path}`)
  return all.filter(picture => !missing.includes(picture))
}

async function ways(path: string): Promise<Uint8Array[]> {
  const plain = () => sharp(path).flatten().toColourspace('srgb')
  const { width, height } = await plain().metadata()
  const [x, y] = [Math.floor(width / 2), Math.floor(height / 2)]
  const made = [
    plain(),
    plain().flop(),
    plain().linear(0.4, 0),
    plain().extend({ left: x, right: x, top: y, bottom: y, background: '#808080' }),
  ]
  return Promise.all(made.map(async one => new Uint8Array(await one.jpeg({ quality: 85 }).toBuffer())))
}

function bestOf(seen: Seen, group: string): number {
  const labels = labelsOf(group)
  return Math.max(
    0,
    ...seen.detections.filter(({ label }) => labels.includes(label)).map(({ score }) => score),
  )
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

function readings(picture: Picture, lines: readonly TextLine[]): Case[] {
  const { text } = picture
  if (!text) return []
  const truth = text.map(plain)
  return lines.map(line => ({ score: line.confidence, right: truth.includes(plain(line.text)), weight: 1 }))
}

const all = pictures(process.argv[2] ?? '/')
const things: Case[] = []
const texts: Case[] = []
const silent = { all: 0, right: 0 }
for (const picture of all) {
  const versions = await ways(picture.path)
  for (const [i, bytes] of versions.entries()) {
    const read = i === 0 && picture.text !== undefined
    const seen = await eyes.see(
      { bytes, takenAt: null, source: picture.path },
      { objects: true, text: read },
      { timeoutMs: 60_000 },
    )
    for (const group of GROUPS) {
      const score = bestOf(seen, group)
      if (score > 0) things.push({ score, right: picture.on.includes(group), weight: 1 / versions.length })
    }
    if (!read) continue
    texts.push(...readings(picture, seen.lines ?? []))
    if (seen.lines?.length === 0) {
      silent.all++
      if (picture.text?.length === 0) silent.right++
    }
  }
}
await inference.stop()

const document = parseDocument(readFileSync(join(here, 'catalog.yaml'), 'utf8'))
const write = (name: string, calibration: object) => {
  const at = catalogue.models.findIndex(model => model.name === name)
  document.setIn(['models', at, 'calibration'], document.createNode(calibration))
}
write(detector.name, {
  basis: `best score of people, vehicles and animals on ${all.length} labelled pictures, each seen in four ways`,
  pictures: all.length,
  present: curveOf(things, THING_STEPS),
})
const read = all.filter(({ text }) => text !== undefined).length
write(reader.name, {
  basis: `${texts.length} lines of text on ${read} labelled pictures, right when every letter and digit is`,
  pictures: read,
  text: curveOf(texts, TEXT_STEPS),
  no_text: Math.floor((100 * (silent.right + 1)) / (silent.all + 2)) / 100,
})
writeFileSync(join(here, 'catalog.yaml'), document.toString({ lineWidth: 110, flowCollectionPadding: true }))
console.log(`calibrated on ${all.length} pictures`)
