import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { calibrationOf, measure, type Seen } from '../../src/vision/index.ts'
import { scenes } from '../fixtures/scenes.ts'
import { catalogue, inferenceProcess, ownPictures, root, seen } from './context.ts'

interface Label {
  on: string[]
  text?: string[]
  plate?: string
}

const labels: Record<string, Label> = parse(readFileSync(join(ownPictures, 'labels.yaml'), 'utf8'))
const inference = inferenceProcess()
afterAll(() => inference.stop())
const calibration = calibrationOf(catalogue.forTask('detect'), catalogue.forTask('read'))

const present = (of: string, what: Seen) => measure({ measure: 'present', of }, what, calibration).value
const groupsOn = (what: Seen) => ['person', 'vehicle', 'animal'].filter(of => present(of, what))
const load = (path: string) => new Uint8Array(readFileSync(path))

describe('the sample pictures', () => {
  it('are all labelled, and every drawing is there', () => {
    const files = readdirSync(ownPictures).filter(name => name.endsWith('.jpg'))
    expect(files.sort()).toEqual(Object.keys(labels).sort())
    for (const name of Object.keys(scenes)) expect(files).toContain(name)
  })

  it.each(Object.entries(labels))('%s shows what its label says', async (name, label) => {
    const wantsText = label.text !== undefined
    const what = await seen(inference, load(join(ownPictures, name)), { objects: true, text: wantsText })
    expect(groupsOn(what)).toEqual(label.on)
    if (label.text) expect(what.lines?.map(line => line.text)).toEqual(label.text)
    if (label.plate) expect(measure({ measure: 'plate' }, what, calibration).value).toBe(label.plate)
  })
})

const beside = join(root, '../shared')
const given = join(beside, 'cases/pictures.json')
describe.skipIf(!existsSync(given))('labelled pictures beside the repository', () => {
  type Given = { person: boolean; vehicle: boolean; text?: string }
  const pictures: Record<string, Given> = existsSync(given)
    ? JSON.parse(readFileSync(given, 'utf8')).pictures
    : {}

  it.each(Object.entries(pictures))('%s: presence of a person and of a vehicle', async (name, truth) => {
    const what = await seen(inference, load(join(beside, 'pictures', name)), {
      objects: true,
      text: !!truth.text,
    })
    expect({ person: present('person', what), vehicle: present('vehicle', what) }).toEqual({
      person: truth.person,
      vehicle: truth.vehicle,
    })
    if (truth.text) expect(what.lines?.map(line => line.text)).toContain(truth.text)
  })
})
