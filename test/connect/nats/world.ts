/** A whole engine that listens to a NATS server. */
import { onTestFinished } from 'vitest'
import { Nats } from '../../../src/connect/index.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { Box, type BoxOptions, SITE } from '../../engine/box.ts'
import { eventually } from '../helpers.ts'

export interface Listening {
  box: Box
  nats: Nats
  /** The site says something else of `nats:` from now on. */
  turnTo(nats: string): Promise<void>
  /** Lets time pass until the line is as it should be. */
  until(holds: (problem: string | null) => boolean): Promise<void>
  up(): Promise<void>
  /** What happens when the line is up. */
  onUp(): void
  /** Runs there are. */
  runs(): number
}

type Given = BoxOptions & {
  /** Of another, whose driver is gone. */
  box?: Box
} & Partial<Pick<ConstructorParameters<typeof Nats>[0], 'secrets' | 'lookup' | 'listeners' | 'pingMs'>>

/** `nats`: the section of the site file in one line. */
export async function listening(nats: string, options: Given = {}): Promise<Listening> {
  const { secrets = { get: () => null }, lookup, listeners, pingMs, box: given, ...rest } = options
  const box = given ?? (await new Box(rest).start())
  const siteWith = (section: string) =>
    Site.load(`${rest.site ?? SITE}\n${section && `nats: ${section}`}`, 'site.yaml')
  let site = siteWith(nats)
  const driver = new Nats({
    site: () => site,
    secrets,
    clock: box.clock,
    log: noLog,
    bus: box.bus,
    engine: {
      submit: event => box.engine.submit(event),
      listensFor: () => box.engine.listensFor(),
    },
    ...(lookup && { lookup }),
    ...(listeners && { listeners }),
    ...(pingMs !== undefined && { pingMs }),
    onUp: () => world.onUp(),
  })
  const world: Pick<Listening, 'onUp'> = { onUp: () => undefined }
  await driver.start()
  onTestFinished(async () => {
    await driver.stop()
    if (!given) await box.stop()
  })
  const until = (holds: (problem: string | null) => boolean) =>
    eventually(() => {
      if (holds(driver.problem)) return true
      box.clock.advance(1_000)
      return false
    })
  return Object.assign(world, {
    box,
    nats: driver,
    until,
    up: () => until(problem => problem === null),
    async turnTo(section: string) {
      site = siteWith(section)
      await driver.reload()
    },
    runs: () => box.engine.runs({ limit: 100_000 }).length,
  })
}

/** The nth plate that is read at the gate, as the NVR sends it. */
export function plate(n: number, at: number, patch: object = {}): object {
  return {
    id: `evt_${n.toString(16).padStart(12, '0')}`,
    schema: 'plate.recognized.v1',
    correlation_id: null,
    camera_id: 'gate',
    ts: new Date(at).toISOString(),
    producer: 'lpr',
    payload: { plate_text: `BXY${n}`, confidence: 0.97, vehicle_label: 'car' },
    ...patch,
  }
}

export const PLATE = 'opennvr.events.plate.recognized.v1.gate'

export const PLATES = `
contract: workflow.v1
name: Plates
limits: { cooldown: 0s, per_hour: 1000000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ log: "{plate}" ]
`

/** The same alert as it goes out by itself, and inside of its envelope. */
export function alertTwice(n: number, at: number): [object, object] {
  const alert = {
    alert_id: `alrt_${n.toString(16).padStart(12, '0')}`,
    fired_at: new Date(at).toISOString(),
    title: 'Somebody at the fence',
    description: '',
    severity: 'warning',
    source: { kind: 'app', name: 'intrusion-detection', version: '1.2.0' },
    camera_id: 'gate',
    correlation_id: null,
    evidence: { observed_at: new Date(at).toISOString() },
    tags: [],
  }
  const envelope = {
    ...plate(n, at),
    schema: 'alert.fired.v1',
    producer: 'intrusion-detection',
    payload: alert,
  }
  return [alert, envelope]
}

export const ALERT = 'opennvr.alerts.app.intrusion-detection.gate'
export const ALERT_FIRED = 'opennvr.events.alert.fired.v1.gate'

export const ALERTS = `
contract: workflow.v1
name: Alerts
limits: { cooldown: 0s, per_hour: 1000000, one_at_a_time: camera }
when: { alert: { source: intrusion-detection } }
then: [ log: "{title}" ]
`
