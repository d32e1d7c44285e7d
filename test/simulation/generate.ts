/** Random workflows over the kinds that this version carries out, mostly such as the validator accepts. */
import type { Condition, Step, StepKind, Workflow } from '../../src/contract/index.ts'
import type { Chance } from './chance.ts'

/** Step kinds that the simulator can play, each with its maker; a test holds that none is forgotten. */
const makers: Readonly<Record<string, (place: Place) => Step | null>> = {
  log: ({ chance, scope }) => plain('log', text(chance, scope)),
  notify: ({ chance, scope }) => plain('notify', { who: 'role:guard', message: text(chance, scope) }),
  alert: ({ chance, scope }) =>
    plain('alert', { severity: chance.of(['low', 'medium', 'high']), title: text(chance, scope) }),
  reply: ({ chance, scope, answers }) => (answers ? plain('reply', text(chance, scope)) : null),
  webhook: place => {
    const { chance, scope, guarded } = place
    const to = guarded && chance.percent(80) ? 'barrier' : 'chat'
    return plain('webhook', { to, json: text(chance, scope) })
  },
  mqtt: ({ chance, scope, guarded }) => {
    const to = guarded && chance.percent(80) ? 'relay' : 'lamp'
    return plain('mqtt', { to, json: text(chance, scope) })
  },
  app: ({ chance, scope, guarded }) => {
    const action = guarded && chance.percent(80) ? 'open' : 'say'
    return plain('app', { id: 'gate-app', action, params: { text: text(chance, scope) } })
  },
  home_assistant: ({ chance, guarded }) => {
    const moves = guarded && chance.percent(80)
    const service = moves ? 'lock.unlock' : 'light.turn_on'
    return plain('home_assistant', { service, target: moves ? 'lock.gate' : 'light.gate' })
  },
  save_clip: ({ chance }) => plain('save_clip', { camera: 'roof', after: chance.of(['2s', '20s']) }),
  save_picture: () => plain('save_picture', { camera: 'roof' }),
  ptz_preset: ({ chance }) => plain('ptz_preset', { camera: 'roof', preset: chance.of(['Door', 'Street']) }),
  site_mode: ({ chance, guarded }) =>
    guarded ? plain('site_mode', { to: chance.of(['disarmed', 'armed_home', 'armed_away']) }) : null,
  wait: ({ chance }) => plain('wait', chance.of(['500ms', '5s', '40s', '2m'])),
  ask_person: place => {
    const { chance, names } = place
    const name = `ask${names.next++}`
    const replies = ['Let in', 'Refuse']
    const params = {
      who: 'role:guard',
      message: text(chance, place.scope),
      replies,
      timeout: chance.of(['5s', '60s']),
      ...(chance.percent(60) && { default: 'Refuse' }),
    }
    const inside = {
      ...place,
      scope: [...place.scope, `${name}.answer`, `${name}.answered_by`],
      depth: place.depth + 1,
    }
    const paths: Step['paths'] = {}
    for (const reply of replies) paths[reply] = steps({ ...inside, guarded: place.guarded || place.asks }, 2)
    if (chance.percent(40)) paths.no_answer = steps(inside, 1)
    place.scope = inside.scope
    return { kind: 'ask_person', name, params, paths }
  },
  call: place => {
    if (place.noAi) return null
    const { chance } = place
    const name = `call${place.names.next++}`
    const outcomes = ['known', 'not_known']
    const inside = {
      ...place,
      scope: [...place.scope, `${name}.answer`, `${name}.answered_by`, `${name}.code`],
      guarded: false,
      afterAi: true,
      depth: place.depth + 1,
    }
    const params = {
      who: 'role:guard',
      goal: 'Who is it?',
      outcomes,
      fields: { code: 'text' },
      timeout: chance.of(['5s', '60s']),
      ...(chance.percent(50) && { script: text(chance, place.scope) }),
    }
    const paths: Step['paths'] = {}
    for (const outcome of [...outcomes, 'no_answer'])
      if (chance.percent(70)) paths[outcome] = steps(inside, 1)
    place.afterAi = true
    place.guarded = false
    place.scope = inside.scope
    return { kind: 'call', name, params, paths }
  },
  wait_for: place => {
    const { chance } = place
    const until: Condition = chance.of([
      { kind: 'elapsed', params: '2s' },
      { kind: 'site_mode', params: ['armed_home'] },
    ])
    const inside = { ...place, depth: place.depth + 1 }
    const paths: Step['paths'] = {}
    for (const outcome of ['met', 'timeout']) if (chance.percent(60)) paths[outcome] = steps(inside, 1)
    return { kind: 'wait_for', params: { until, every: '1s', timeout: chance.of(['5s', '90s']) }, paths }
  },
  for_each: place => {
    const { chance } = place
    const over = chance.of<object>([
      { list: 'drivers' },
      { list: 'residents', max: 1 },
      { cameras: ['gate', 'yard'] },
    ])
    const item = chance.of(['', 'entry'])
    const inside = { ...place, scope: [...place.scope, item || 'item'], noAi: true, depth: place.depth + 1 }
    return {
      kind: 'for_each',
      params: { ...over, ...(item && { as: item }) },
      paths: { do: steps(inside, 2) },
    }
  },
  if: place => {
    const { chance } = place
    const guards = place.identity && !place.afterAi && chance.percent(75)
    const conditions = guards
      ? [{ kind: 'in_list', params: { list: 'residents', value: '{plate}' } } as Condition]
      : [condition(place)]
    const paths: Step['paths'] = {
      then: steps({ ...place, guarded: place.guarded || guards, depth: place.depth + 1 }, 2),
    }
    if (chance.percent(50)) paths.else = steps({ ...place, depth: place.depth + 1 }, 2)
    return { kind: 'if', params: conditions, paths }
  },
  ai: place => {
    if (place.noAi) return null
    const { chance } = place
    const name = `look${place.names.next++}`
    const decision = chance.of([
      ['delivery', 'visitor'],
      ['yes_it_is', 'unclear', 'nothing'],
    ])
    const inside = {
      ...place,
      scope: [...place.scope, `${name}.reason`, `${name}.decision`],
      guarded: false,
      afterAi: true,
      depth: place.depth + 1,
    }
    const paths: Step['paths'] = {}
    for (const outcome of [...decision, 'unsure']) paths[outcome] = steps(inside, 1)
    place.afterAi = true
    place.guarded = false
    place.scope = inside.scope
    const params = chance.percent(20)
      ? { mode: 'investigate', goal: 'What is it?', tools: ['recent_plates', 'ask_person'], decision }
      : { mode: 'look', prompt: 'What is it?', input: 'event', decision }
    return { kind: 'ai', name, params, paths }
  },
}

const BRANCHES = new Set<StepKind>(['if', 'ai', 'ask_person', 'call', 'for_each', 'wait_for'])

export const playable: readonly StepKind[] = Object.keys(makers) as StepKind[]

interface Place {
  chance: Chance
  /** Values that may be named here. */
  scope: string[]
  /** A move may stand here. */
  guarded: boolean
  afterAi: boolean
  /** The trigger gives a plate. */
  identity: boolean
  noAi: boolean
  /** Somebody wrote, and is answered. */
  answers: boolean
  /** A person's reply may move here: not in `always`. */
  asks: boolean
  depth: number
  names: { next: number }
  left: { steps: number }
}

/** What triggers give. */
const GIVEN: Readonly<Record<string, string[]>> = {
  event: ['plate', 'camera'],
  webhook: ['parcel'],
  message: ['message', 'from'],
}

/** A workflow; now and then one that the validator refuses. */
export function workflow(chance: Chance, name: string): Workflow {
  const kind = chance.of(['event', 'event', 'event', 'button', 'webhook', 'message', 'schedule'] as const)
  const authority = !['event', 'message'].includes(kind) && chance.percent(60)
  const place: Place = {
    chance,
    scope: GIVEN[kind] ?? [],
    guarded: authority,
    afterAi: false,
    identity: kind === 'event',
    noAi: authority,
    answers: kind === 'message',
    asks: true,
    depth: 0,
    names: { next: 0 },
    left: { steps: 9 },
  }
  const whole = steps(place, 4)
  return {
    contract: 'workflow.v1',
    name,
    state: 'on',
    limits: {
      cooldown: chance.of(['0s', '10s', '1m']),
      one_at_a_time: kind === 'event' ? chance.of(['camera', 'plate']) : 'camera',
      per_hour: chance.of([3, 30, 1000]),
    },
    when: { kind, params: whenOf(kind, chance) },
    if: kind === 'event' && chance.percent(20) ? [value(chance)] : [],
    then: whole.length ? whole : [plain('log', 'nothing')],
    always: chance.percent(60)
      ? steps({ ...place, scope: [], guarded: false, noAi: true, asks: false, depth: 2 }, 2)
      : [],
  }
}

function whenOf(kind: Workflow['when']['kind'], chance: Chance): Workflow['when']['params'] {
  if (kind === 'event')
    return { schema: 'plate.recognized.v1', cameras: chance.of([['gate'], ['gate', 'yard']]) }
  return kind === 'schedule' ? { every: chance.of(['2m', '15m']) } : {}
}

/** Up to `most` steps; what comes after an AI step in a list stands after it. */
function steps(place: Place, most: number): Step[] {
  const { chance, left } = place
  const list: Step[] = []
  const here = { ...place }
  for (let n = chance.below(most) + 1; n > 0 && left.steps > 0; n--) {
    const kinds = here.depth > 1 ? playable.filter(kind => !BRANCHES.has(kind)) : playable
    left.steps--
    const step = makers[chance.of(kinds)]?.(here)
    if (step) list.push(step)
  }
  return list
}

function plain(kind: StepKind, params: unknown): Step {
  return { kind, params, paths: {} }
}

function text(chance: Chance, scope: readonly string[]): string {
  const word = chance.of(['here', 'now', 'again', 'a: b', '{ no value }'])
  return scope.length && chance.percent(70) ? `{${chance.of(scope)}} ${word}` : word
}

function condition({ chance, identity }: Place): Condition {
  const mode: Condition = {
    kind: 'site_mode',
    params: chance.of([['disarmed'], ['armed_home', 'armed_away']]),
  }
  if (!identity) return mode
  return chance.of([
    mode,
    value(chance),
    { kind: 'not', params: value(chance) } as Condition,
    { kind: 'any', params: [value(chance), value(chance)] } as Condition,
  ])
}

function value(chance: Chance): Condition {
  return {
    kind: 'value',
    params: chance.of([
      { of: 'plate', is: 'B-AB 123' },
      { of: 'plate', in: ['X-YZ 9', 'm xy 9'] },
      { of: 'camera', is: 'yard' },
      { of: 'confidence', at_least: 0.9 },
    ]),
  }
}
