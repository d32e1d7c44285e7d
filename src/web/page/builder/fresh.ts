/** A new node as it begins: what it needs is asked for in its form. */
import type { Json } from '../../../contract/index.ts'
import type { SiteNames } from './names.ts'
import { say } from './words.ts'

type JsonMap = { [key: string]: Json }

/** Those whom most are told. */
const someone = ({ roles, people }: SiteNames): JsonMap => {
  const [role] = roles
  const [person] = people
  return role ? { who: `role:${role}` } : person ? { who: `person:${person}` } : {}
}

/** Triggers that are about no camera: a look has to be told which. */
const NO_CAMERA = ['button', 'schedule', 'message']

/** A step as a file says it, its paths included. `kind`: or `investigate`, which is another way of `ai`. */
export function freshStep(kind: string, names: SiteNames, trigger: string): JsonMap {
  const [yes, no] = [say('fresh.yes'), say('fresh.no')]
  const [camera] = names.cameras
  const looksAt = camera !== undefined && NO_CAMERA.includes(trigger) ? { look_at: camera } : {}
  switch (kind) {
    case 'ai':
      return {
        ai: {
          mode: 'look',
          prompt: say('fresh.prompt'),
          input: 'picture',
          ...looksAt,
          decision: [yes, no],
          [yes]: [],
          [no]: [],
          unsure: [],
        },
      }
    case 'investigate':
      return {
        ai: {
          ...{ mode: 'investigate', goal: say('fresh.goal'), tools: ['describe_camera', 'recent_events'] },
          ...{ decision: [yes, no], [yes]: [], [no]: [], unsure: [] },
        },
      }
    case 'ask_person':
      return {
        ask_person: {
          ...someone(names),
          ...{ message: say('fresh.question'), replies: [yes, no], timeout: '2m' },
        },
      }
    case 'call':
      return { call: { ...someone(names), goal: say('fresh.call'), outcomes: [yes, no], timeout: '3m' } }
    case 'if':
      return { if: [{ time: { from: '22:00', to: '06:00' } }], then: [] }
    case 'for_each':
      return { for_each: { cameras: names.cameras.slice(0, 1) as string[], do: [] } }
    case 'wait':
      return { wait: '1m' }
    case 'wait_for':
      return {
        wait_for: { until: { site_mode: names.modes.slice(0, 1) as string[] }, every: '10s', timeout: '10m' },
      }
    case 'notify':
      return { notify: { ...someone(names), message: say('fresh.message') } }
    case 'alert':
      return { alert: { severity: 'medium', title: say('fresh.message') } }
    case 'log':
    case 'reply':
      return { [kind]: say('fresh.message') }
    case 'speak':
      return { speak: { text: say('fresh.speak') } }
    default:
      return { [kind]: {} }
  }
}

export function freshCondition(kind: string, names: SiteNames): JsonMap {
  switch (kind) {
    case 'time':
      return { time: { from: '22:00', to: '06:00' } }
    case 'site_mode':
      return { site_mode: names.modes.slice(0, 1) as string[] }
    case 'camera':
      return { camera: names.cameras.slice(0, 1) as string[] }
    case 'value':
      return { value: { of: 'camera', present: 'yes' } }
    case 'in_list':
      return { in_list: { list: names.lists[0] ?? 'list', value: '{plate}' } }
    case 'text_visible':
      return { text_visible: { camera: names.cameras[0] ?? 'camera', contains_any: [say('fresh.text')] } }
    case 'elapsed':
      return { elapsed: '1m' }
    case 'not':
      return { not: { time: { from: '22:00', to: '06:00' } } }
    case 'any':
    case 'all':
      return { [kind]: [{ time: { from: '22:00', to: '06:00' } }] }
    default:
      return { [kind]: '' }
  }
}

export function freshTrigger(kind: string, { cameras }: SiteNames): JsonMap {
  const first = cameras.slice(0, 1) as string[]
  switch (kind) {
    case 'event':
      return { schema: 'plate.recognized.v1' }
    case 'detect.person_in_zone':
      return { cameras: first, min_seconds: 5 }
    case 'camera_offline':
      return { for: '5m' }
    case 'schedule':
      return { at: '07:00' }
    case 'watch':
      return { cameras: first, question: say('fresh.watch'), every: '1m' }
    default:
      return {}
  }
}
