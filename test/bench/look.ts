/** A Look, from encoded bytes to the decision, against bare sharp and onnxruntime; and what it sees. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { type DecisionSpec, runLook } from '../../src/ai/index.ts'
import { noLog } from '../../src/core/index.ts'
import { Supervisor } from '../../src/inference/index.ts'
import { Catalogue } from '../../src/models/index.ts'
import { calibrationOf, detectorOf, Eyes, measure, readerOf } from '../../src/vision/index.ts'
import { type Measure, measured, median } from './measure.ts'

const root = resolve(import.meta.dirname, '../..')
const ownPictures = join(root, 'templates/cases/pictures')
const ROUNDS = 40
const WARM_UP = 8

const spec: DecisionSpec = {
  options: ['somebody', 'a_vehicle', 'nothing'],
  prompt: 'Who is there?',
  fields: { person: { measure: 'present', of: 'person' }, vehicle: { measure: 'present', of: 'vehicle' } },
  floor: null,
  rules: [
    { when: { person: true }, then: 'somebody' },
    { when: { vehicle: true }, then: 'a_vehicle' },
    { then: 'nothing' },
  ],
  maxAgeMs: 30_000,
}

export async function bench(): Promise<Measure[]> {
  const catalogue = Catalogue.load(join(root, 'models'))
  const [detector, reader] = [catalogue.forTask('detect'), catalogue.forTask('read')]
  const inference = new Supervisor({
    command: [process.execPath, join(root, 'test/vision/child.ts')],
    modelsDir: catalogue.filesDir,
    log: noLog,
  })
  const vision = new Eyes(inference, { detector: detectorOf(detector), reader: readerOf(reader) })
  const calibration = calibrationOf(detector, reader)
  const look = async (bytes: Uint8Array) => {
    const picture = { bytes, takenAt: Date.now(), source: 'bench' }
    return runLook(
      spec,
      { pictures: [picture], values: {}, facts: '', text: null },
      {
        vision,
        measure: (field, seen) => measure(field, seen, calibration),
        now: Date.now,
        timeoutMs: 30_000,
      },
    )
  }
  inference.start()
  try {
    return [await against(inference, look), await presence(labels(), look)]
  } finally {
    await inference.stop()
  }
}

type LookAt = (bytes: Uint8Array) => Promise<{ fields: Record<string, unknown> }>

/** Turn by turn in one run, so that a busy moment falls on both. */
async function against(inference: Supervisor, look: LookAt): Promise<Measure> {
  const bytes = new Uint8Array(readFileSync(join(ownPictures, 'dog.jpg')))
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const { ms } = await inference.call<{ ms: number }>('bare', { bytes }, { timeoutMs: 30_000 })
    const started = performance.now()
    await look(bytes)
    if (round < WARM_UP) continue
    bare.push(ms)
    ours.push(performance.now() - started)
  }
  return measured('look', median(ours), 'ms', { atMost: 1.3 }, median(bare))
}

interface Truth {
  person: boolean
  vehicle: boolean
}

interface Labelled {
  /** What is measured on other pictures has another name: the two are not to be compared. */
  measure: string
  dir: string
  pictures: Record<string, Truth>
}

/** Labelled pictures that may lie beside the repository, else those of the project. */
function labels(): Labelled {
  const beside = resolve(root, '../shared')
  const file = join(beside, 'cases/pictures.json')
  if (existsSync(file)) {
    return {
      measure: 'presence',
      dir: join(beside, 'pictures'),
      pictures: JSON.parse(readFileSync(file, 'utf8')).pictures,
    }
  }
  const own: Record<string, { on: string[] }> = parse(readFileSync(join(ownPictures, 'labels.yaml'), 'utf8'))
  const entries = Object.entries(own).map(([name, { on }]): [string, Truth] => [
    name,
    { person: on.includes('person'), vehicle: on.includes('vehicle') },
  ])
  return {
    measure: 'presence on the project’s own pictures',
    dir: ownPictures,
    pictures: Object.fromEntries(entries),
  }
}

async function presence({ measure, dir, pictures }: Labelled, look: LookAt): Promise<Measure> {
  let wrong = 0
  for (const [name, truth] of Object.entries(pictures)) {
    const { fields } = await look(new Uint8Array(readFileSync(join(dir, name))))
    if (fields.person !== truth.person) wrong++
    if (fields.vehicle !== truth.vehicle) wrong++
  }
  return measured(measure, wrong, 'wrong', { atMost: 0 })
}
