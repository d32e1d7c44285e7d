import { describe, expect, test } from 'vitest'
import type { ToolMode, ToolPicture } from '../../src/ai/index.ts'
import { GatehouseError, type JsonValue } from '../../src/core/index.ts'
import { type Archive, makeTool, type RecordedEvent, type ToolRoom } from '../../src/kinds/index.ts'
import { jpeg, NOW, noRecords, roomOf, SITE, seen } from './tool-room.ts'

const MINUTE = 60_000

async function use(
  name: string,
  args: { [name: string]: JsonValue } = {},
  patch: Parameters<typeof roomOf>[0] = {},
) {
  const tool = makeTool(name, roomOf(patch))
  const answer = await tool?.call(args, { signal: new AbortController().signal })
  if (!answer || !('result' in answer)) throw new Error(`it asks: ${JSON.stringify(answer)}`)
  return { result: answer.result as { [key: string]: JsonValue }, pictures: answer.pictures as ToolPicture[] }
}

describe('a tool as a step has it', () => {
  test('offers the cameras of the site by role, and by id where several bear one', () => {
    const schema = JSON.stringify(makeTool('describe_camera', roomOf())?.parameters.properties.camera)
    const names = [...schema.matchAll(/"const":"([^"]*)"/g)].map(([, name]) => name)
    expect(names).toEqual(['gate', 'yard', 'cam-2', 'cam-3'])
  })

  test('says when not to use it, and what its arguments are not', () => {
    for (const name of ['describe_camera', 'recent_plates', 'ask_person']) {
      const tool = makeTool(name, roomOf())
      expect(tool?.description).toMatch(/Not /)
      for (const each of Object.values(tool?.parameters.properties ?? {}))
        expect(each.description).toMatch(/Not |Left out/)
    }
  })

  test.each<[string, ToolMode, ToolMode]>([
    ['', 'auto', 'auto'],
    ['tools: { describe_camera: ask }', 'auto', 'ask'],
    ['tools: { describe_camera: ask }', 'unavailable', 'unavailable'],
    ['tools: { describe_camera: unavailable }', 'ask', 'unavailable'],
  ])('is used as the stricter of site and step say: %s, %s', (tools, step, mode) => {
    expect(makeTool('describe_camera', roomOf({ siteFile: `${SITE}${tools}` }), step)?.mode).toBe(mode)
  })

  test('is there with a reason where this box lacks it, and not at all where it does not exist', () => {
    expect(makeTool('recognize_faces', roomOf())).toMatchObject({
      mode: 'unavailable',
      why: 'faces are off at this site: name who compares them under faces',
    })
    expect(makeTool('search_footage', roomOf())).toMatchObject({ mode: 'unavailable' })
    expect(makeTool('open_gate', roomOf())).toBeNull()
    expect(makeTool('constructor', roomOf())).toBeNull()
  })
})

describe('what a camera shows', () => {
  test('is told in words with its age, and kept', async () => {
    const kept: unknown[] = []
    const keep = async (picture: unknown) => kept.push(picture)
    const { result, pictures } = await use('describe_camera', { camera: 'gate' }, { keep })
    expect(result).toMatchObject({
      camera: 'gate',
      taken: '2 s old',
      things: [{ label: 'truck' }, { label: 'person' }],
    })
    expect(JSON.stringify(result)).toContain('BAKER')
    expect(pictures).toMatchObject([{ ref: 1, seen: { width: 100 } }])
    expect(kept).toHaveLength(1)
  })

  test('is shown, small, to a model that sees', async () => {
    const { result, pictures } = await use('describe_camera', {}, { sees: true })
    expect(result).toEqual({ camera: 'gate', picture: 1, taken: '2 s old' })
    expect(pictures).toMatchObject([{ ref: 1, picture: { source: 'small' }, seen: null }])
  })

  test('a snapshot says what to use instead where the model does not see', async () => {
    expect((await use('camera_snapshot')).result).toMatchObject({
      note: expect.stringContaining('describe_camera'),
    })
  })

  test('is the camera of the event where nothing else is said', async () => {
    expect((await use('camera_snapshot', {}, { cameraId: 'cam-2' })).result).toMatchObject({
      camera: 'cam-2',
    })
    expect((await use('camera_snapshot', { camera: 'yard' }, { cameraId: 'cam-2' })).result.camera).toBe(
      'cam-2',
    )
    await expect(use('camera_snapshot', {}, { cameraId: null })).rejects.toThrow('name one')
  })

  test('is counted', async () => {
    const { result } = await use('detect_objects', { of: 'vehicle' })
    expect(result).toMatchObject({ of: 'vehicle', count: 1, taken: '2 s old' })
    expect((await use('detect_objects', { of: 'animal' })).result.count).toBe(0)
  })

  test('fails where the camera is down, where nothing looks, and where no picture came', async () => {
    await expect(use('describe_camera', { camera: 'cam-3' })).rejects.toThrow('gives no picture')
    await expect(use('describe_camera', {}, { vision: null })).rejects.toThrow('nothing on this box')
    await expect(use('describe_event')).rejects.toThrow('no picture came')
    await expect(use('describe_window')).rejects.toThrow('no picture of the last')
  })

  test('of the event, and over a time, oldest first', async () => {
    const eventPictures = async () => [{ ref: 4, picture: jpeg(NOW - 90_000, 'upload') }]
    expect((await use('describe_event', {}, { eventPictures })).result).toMatchObject({
      taken: '90 s old',
      camera: 'gate',
    })
    const asked: unknown[] = []
    const all = Array.from({ length: 9 }, (_, i) => ({ ref: i, picture: jpeg(NOW - (i + 1) * MINUTE) }))
    const pictures = async (filter: unknown) => {
      asked.push(filter)
      return all
    }
    const { result } = await use('describe_window', { minutes: 10 }, { records: { ...noRecords, pictures } })
    const shown = result.pictures as { taken: string }[]
    expect(asked).toEqual([{ cameraId: 'cam-1', since: NOW - 10 * MINUTE, until: NOW, limit: 24 }])
    expect(shown).toHaveLength(4)
    expect(shown[0]?.taken).toBe('9 min old')
    expect(shown.at(-1)?.taken).toMatch(/^(60|120) s old$|^[1-3] min old$/)
  })
})

describe('what happened before', () => {
  const plate = (plate_text: string, at: number, confidence = 0.97): RecordedEvent => ({
    ...{ eventId: `evt_${at}`, kind: 'event', schema: 'plate.recognized.v1', cameraId: 'cam-1', at },
    payload: { plate_text, confidence },
  })
  const records = (events: RecordedEvent[]): ToolRoom['records'] => ({ ...noRecords, events: () => events })

  test('events come with their age and a few plain values', async () => {
    const event = {
      ...plate('B-AB 123', NOW - 30_000),
      payload: { a: 'x'.repeat(500), deep: { no: 1 }, n: 3 },
    }
    const { result } = await use('recent_events', {}, { records: records([event]) })
    const [first] = result.events as { [key: string]: JsonValue }[]
    expect(first).toMatchObject({
      what: 'plate.recognized.v1',
      when: '30 s ago',
      camera: 'gate',
      data: { n: 3 },
    })
    expect(JSON.stringify(first).length).toBeLessThan(300)
  })

  test('many events are cut, and it says so', async () => {
    const many = Array.from({ length: 13 }, (_, i) => plate(`P ${i}`, NOW - i))
    const { result } = await use('recent_events', {}, { records: records(many) })
    expect(result).toMatchObject({ there_are_more: true, events: expect.arrayContaining([]) })
    expect(result.events).toHaveLength(12)
  })

  test('a plate is found by itself only, and a weak reading says so', async () => {
    const all = [
      plate('B-AB 123', NOW - 1_000),
      plate('b-ab 123 ', NOW - MINUTE, 0.5),
      plate('B-AB 1234', NOW),
    ]
    const { result } = await use('recent_plates', { plate: 'B-AB 123' }, { records: records(all) })
    expect(result.times_read).toBe(2)
    expect(result.plates).toMatchObject([{ when: '1 s ago' }, { note: 'read with little certainty' }])
  })

  test('decisions come with what people said of them', async () => {
    const asked: unknown[] = []
    const decisions = (filter: unknown) => {
      asked.push(filter)
      const at = NOW - 3 * 3_600_000
      return [{ workflow: 'Gate', cameraId: 'cam-1', at, decision: 'known', reason: 'a\nvan', right: false }]
    }
    const { result } = await use(
      'search_history',
      { word: 'van', days: 2 },
      { records: { ...noRecords, decisions } },
    )
    expect(asked).toEqual([
      { cameraId: null, since: NOW - 2 * 86_400_000, until: NOW, limit: 8, word: 'van' },
    ])
    expect(result.decisions).toEqual([
      {
        when: '3 h ago',
        camera: 'gate',
        workflow: 'Gate',
        decision: 'known',
        reason: 'a van',
        people_said: 'wrong',
      },
    ])
  })
})

describe('the site', () => {
  test.each([
    ['b-ab 123', ['residents'], false],
    ['B-AB 12', [], false],
    ['x-yz 9', ['banned'], false],
    ['Ann', [], true],
    ['constructor', [], false],
  ])('knows %s exactly or not at all', async (value, lists, person) => {
    const { result } = await use('site_lookup', { value })
    expect(result).toMatchObject({ in_lists: lists, person_of_the_site: person })
  })

  test('tells the lines of its facts that name it', async () => {
    expect((await use('site_lookup', { value: 'B-AB 123' })).result.facts).toEqual([
      'The baker comes at six with B-AB 123.',
    ])
    expect((await use('site_lookup', { value: 'B-AB 1' })).result.facts).toBeUndefined()
  })
})

describe('the health of a camera', () => {
  const health = (pingMs?: number | null, problem: string | null = null) => ({
    check: async () => ({ problem, ...(pingMs !== undefined && { pingMs }) }),
  })

  test.each([
    [health(3.4), 'gate', { gives_a_picture: true, picture: '2 s old', ping: '3 ms' }],
    [health(null), 'gate', { ping: 'no answer' }],
    [health(), 'gate', { ping: 'it has no address' }],
    [
      health(undefined, 'its folder is gone'),
      'cam-3',
      { gives_a_picture: false, problem: 'its folder is gone' },
    ],
  ])('%#', async (health, camera, says) => {
    expect((await use('camera_health', { camera }, { health })).result).toMatchObject(says)
  })

  test('that cannot be asked is still an answer', async () => {
    const broken = { check: () => Promise.reject(new GatehouseError('x', 'y')) }
    expect((await use('camera_health', {}, { health: broken })).result.gives_a_picture).toBe(true)
  })
})

test('a question to a person is one line with two different replies at least', async () => {
  const tool = makeTool('ask_person', roomOf())
  const signal = new AbortController().signal
  const args = { question: 'Do you\nknow him?', replies: ['Yes', ' yes', 'No'], role: 'guard' }
  expect(await tool?.call(args, { signal })).toEqual({
    ask: { message: 'Do you know him?', replies: ['yes', 'No'], role: 'guard' },
  })
  const same = { question: 'x', replies: ['Yes', 'yes '] }
  await expect(tool?.call(same, { signal })).rejects.toThrow('two different replies')
})

test('a picture that only the detector was asked about is not read', async () => {
  let wanted: unknown
  const vision = {
    see: async (_: unknown, want: unknown) => {
      wanted = want
      return seen()
    },
    shrink: async () => jpeg(),
  }
  await use('detect_objects', { of: 'person' }, { vision })
  expect(wanted).toEqual({ objects: true, text: false })
})

describe('what somebody else keeps of before', () => {
  const visit = (id: number, at: number, more: object = {}): RecordedEvent => ({
    ...{ eventId: `nvr ${id}`, kind: 'event', schema: 'visit.recorded.v1', cameraId: 'cam-1', at },
    payload: { event_id: String(id), label: 'car', ...more },
  })
  const archive = (patch: Partial<Archive> = {}): Archive => ({
    lacks: null,
    events: async () => [],
    evidence: async () => null,
    frame: async () => null,
    ...patch,
  })
  const away = async () => {
    throw new GatehouseError('destination_unreachable', 'the NVR cannot be reached: nothing answers there.')
  }
  const own = (events: RecordedEvent[]): ToolRoom['records'] => ({ ...noRecords, events: () => events })
  const whens = (result: { [key: string]: JsonValue }) =>
    (result.events as { what: string; when: string }[]).map(({ what, when }) => `${what} ${when}`)

  test('stands among this box’s own events, each once, newest first', async () => {
    const mine = [
      { ...visit(2, NOW - 20_000), eventId: 'evt_2' },
      { ...visit(9, NOW - 90_000), eventId: 'evt_9', payload: null },
      { ...visit(0, NOW - 50_000), eventId: 'evt_p', schema: 'occupancy.changed.v1', payload: { count: 2 } },
    ]
    const theirs = [visit(1, NOW - 10_000), visit(2, NOW - 20_500), visit(9, NOW - 91_000)]
    const { result } = await use(
      'recent_events',
      {},
      {
        records: own(mine),
        archive: archive({ events: async () => theirs }),
      },
    )
    expect(whens(result)).toEqual([
      'visit.recorded.v1 10 s ago',
      'visit.recorded.v1 20 s ago',
      'occupancy.changed.v1 50 s ago',
      'visit.recorded.v1 91 s ago',
    ])
    expect(result).not.toHaveProperty('gap')
  })

  test('that could not be checked is said beside what is known, and is not told as nothing', async () => {
    const patch = { records: own([visit(1, NOW - 10_000)]), archive: archive({ events: away }) }
    for (const name of ['recent_events', 'recent_plates']) {
      const { result } = await use(name, {}, patch)
      expect(result.gap).toBe(
        'what only the recorder knows could not be checked: the NVR cannot be reached: nothing answers there.',
      )
    }
    const there = await use('recent_events', {}, { ...patch, archive: archive() })
    expect(there.result).not.toHaveProperty('gap')
    const none = await use('recent_events', {}, { ...patch, archive: archive({ lacks: 'no', events: away }) })
    expect(none.result).not.toHaveProperty('gap')
  })

  test('holds plates that this box never heard of, and those of one plate are asked for', async () => {
    const asked: unknown[] = []
    const read = (id: number, plate_text: string, at: number): RecordedEvent => ({
      ...visit(id, at),
      schema: 'plate.recognized.v1',
      payload: { plate_text, event_id: String(id) },
    })
    const { result } = await use(
      'recent_plates',
      { plate: 'B-AB 123' },
      {
        records: own([{ ...read(3, 'B-AB 123', NOW - 30_000), eventId: 'evt_3' }]),
        archive: archive({
          events: async filter => {
            asked.push(filter.plate)
            return [
              read(3, 'B-AB 123', NOW - 31_000),
              read(4, 'B-AB 123', NOW - 600_000),
              read(5, 'B-AB 12', NOW),
            ]
          },
        }),
      },
    )
    expect(result).toMatchObject({ times_read: 2, plates: [{ when: '30 s ago' }, { when: '10 min ago' }] })
    expect(asked).toEqual(['B-AB 123'])
  })

  test('is what was recorded then, where no picture came with the event or was kept', async () => {
    const asked: number[] = []
    const frame = async (_camera: string, at: number) => {
      asked.push(NOW - at)
      return at > NOW - 2 * MINUTE ? jpeg(at, 'recording') : null
    }
    const kept: number[] = []
    const keep = async (picture: { takenAt: number | null }) => kept.push(NOW - (picture.takenAt ?? 0))
    const event = await use('describe_event', {}, { archive: archive({ frame }), keep })
    expect(event.result).toMatchObject({ from: 'what was recorded then', taken: '5 s old' })
    const window = await use('describe_window', { minutes: 4 }, { archive: archive({ frame }), keep })
    expect(window.result).toMatchObject({
      from: 'recordings',
      pictures: [{ taken: '90 s old' }, { taken: '30 s old' }],
    })
    expect(asked).toEqual([5_000, 210_000, 150_000, 90_000, 30_000])
    expect(kept).toEqual([5_000, 90_000, 30_000])
  })

  test('is not there, or could not be looked up: two different failures', async () => {
    const none = { archive: archive() }
    await expect(use('describe_event', {}, none)).rejects.toThrow('no picture came')
    await expect(use('describe_window', {}, none)).rejects.toThrow('no picture of the last')
    for (const name of ['describe_event', 'describe_window'])
      await expect(use(name, {}, { archive: archive({ frame: away }) })).rejects.toThrow(
        'the recordings could not be checked: the NVR cannot be reached',
      )
  })
})
