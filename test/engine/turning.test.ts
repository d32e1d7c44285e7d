import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { Box } from './box.ts'

const CAMERAS = `
cameras:
  gate: { roles: [gate, front] }
  yard: { roles: [yard] }
lists: { residents: [B-AB 123] }
destinations:
  barrier: { url: "http://192.0.2.9/barrier", class: move }
`
const file = (name: string, rest: string) => `contract: workflow.v1\nname: ${name}\nstate: on\n${rest}`
const turning = (camera: string) =>
  file('Turns', `when: { webhook: {} }\nthen: [ ptz_preset: { camera: ${camera}, preset: Door }, log: x ]`)
const opening = file(
  'Opens',
  `when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier, json: open } ]`,
)

let box: Box
let turned: string[]
let failing: Error | null

beforeEach(async () => {
  turned = []
  failing = null
  box = new Box({
    site: CAMERAS,
    world: {
      turner: {
        lacks: null,
        turn: async ({ cameraId, preset }) => {
          if (failing) throw failing
          turned.push(`${cameraId} ${preset}`)
        },
      },
    },
  })
  await box.start()
})
afterEach(() => box.stop())

const attention = (id: number) => box.engine.workflow(String(id))?.needs_attention ?? null

describe('a camera that is turned', () => {
  test('is the one that bears the role', async () => {
    const run = await box.run(box.hook(await box.save(turning('front'))))
    expect(turned).toEqual(['gate Door'])
    expect(run.steps[0]?.result).toEqual({ camera: 'gate', preset: 'Door' })
  })

  test('and does not turn: the run goes on, and it is not tried again', async () => {
    failing = new GatehouseError('camera_unanswered', 'camera gate did not answer in time.')
    const run = await box.run(box.hook(await box.save(turning('front'))))
    expect(run.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
    failing = null
    box.clock.advance(15 * 60_000)
    await box.quiet()
    expect(turned).toEqual([])
  })

  test('while its events open something, is a move: what turns it unguarded stands still until they do not', async () => {
    const turns = await box.save(turning('front'))
    expect(attention(turns)).toBeNull()
    const opens = await box.save(opening)
    expect(attention(turns)).toContain('ptz_preset')
    expect(await box.refused(box.hook(turns))).toBe('needs_attention')
    await box.engine.setState(opens, 'off')
    expect(attention(turns)).toBeNull()
    await box.run(box.hook(turns))
    expect(turned).toHaveLength(1)
    await box.engine.setState(opens, 'on')
    expect(attention(turns)).not.toBeNull()
    await box.engine.remove(opens)
    expect(attention(turns)).toBeNull()
  })

  test('is no move where another camera’s events open something', async () => {
    await box.save(opening)
    expect(attention(await box.save(turning('yard')))).toBeNull()
  })

  test('is a move after a restart, too', async () => {
    await box.save(opening)
    const turns = await box.save(turning('gate'))
    await box.restart()
    expect(attention(turns)).toContain('ptz_preset')
  })
})
