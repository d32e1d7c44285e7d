/** Small random workflows for the two tests that compare the checks with a list of all runs. */
import fc from 'fast-check'
import type { Condition, Step, Trigger, Workflow } from '../../../src/contract/index.ts'

const minutes = fc.constantFrom('1m', '4m', '7m', '15m', '16m')

const leaf = fc.constantFrom<Condition>(
  { kind: 'in_list', params: { list: 'residents', value: '{trigger.plate}' } },
  { kind: 'in_list', params: { list: 'residents', value: '{reason}' } },
  { kind: 'time', params: { from: '22:00', to: '06:00' } },
  { kind: 'value', params: { of: 'decision', is: 'seen' } },
  { kind: 'not', params: { kind: 'in_list', params: { list: 'banned', value: '{trigger.plate}' } } },
  { kind: 'text_visible', params: { camera: 'gate', contains_any: ['DHL'] } },
)

const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    // Fresh objects: the naive checker tells conditions apart by identity.
    leaf.map(each => structuredClone(each)),
    fc.record({
      kind: fc.constantFrom('any' as const, 'all' as const),
      params: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }),
    }),
  ),
}))

const conditions = fc.array(condition, { minLength: 1, maxLength: 2 })
const read: Step = { kind: 'log', params: '{reason}', paths: {} }
const move: Step = { kind: 'app', params: { id: 'gate', action: 'open' }, paths: {} }
const waiting = minutes.map((params): Step => ({ kind: 'wait', params, paths: {} }))

const { steps } = fc.letrec<{ step: Step; steps: Step[] }>(tie => {
  const list = tie('steps')
  const none = fc.constant<Step[]>([])
  const maybe = fc.oneof(none, list)
  return {
    steps: fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'steps' }),
    step: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'steps' },
      { weight: 3, arbitrary: fc.constant(move) },
      { weight: 1, arbitrary: fc.constant(read) },
      { weight: 1, arbitrary: waiting },
      {
        weight: 1,
        arbitrary: fc.record({ seen: list, unsure: maybe }).map(
          (paths): Step => ({
            kind: 'ai',
            params: { mode: 'look', prompt: 'What?', input: 'picture', decision: ['seen'] },
            paths,
          }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({ told: list, no_answer: maybe }).map(
          (paths): Step => ({
            kind: 'call',
            params: { who: 'role:guard', goal: 'Ask.', outcomes: ['told'], timeout: '1m' },
            paths,
          }),
        ),
      },
      {
        weight: 3,
        arbitrary: fc
          .record({ params: conditions, then: list, else: maybe })
          .map(({ params, ...paths }): Step => ({ kind: 'if', params, paths })),
      },
      {
        weight: 3,
        arbitrary: fc
          .record({
            Yes: list,
            No: maybe,
            no_answer: maybe,
            timeout: minutes,
            standard: fc.constantFrom(undefined, 'Yes', 'No'),
          })
          .map(
            ({ timeout, standard, ...paths }): Step => ({
              kind: 'ask_person',
              params: {
                who: 'role:guard',
                message: 'Open?',
                replies: ['Yes', 'No'],
                timeout,
                ...(standard ? { default: standard } : {}),
              },
              paths,
            }),
          ),
      },
      {
        weight: 3,
        arbitrary: fc.record({ do: list, events: fc.nat(3), max: fc.integer({ min: 1, max: 3 }) }).map(
          ({ do: body, events, max }): Step => ({
            kind: 'for_each',
            params:
              events === 3
                ? { events: { schema: 'plate.recognized.v1', within: '1h' }, max }
                : { cameras: ['gate', 'yard', 'dock'], max },
            paths: { do: body },
          }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({ met: list, timeout: maybe, picture: fc.boolean(), limit: minutes }).map(
          ({ picture, limit, ...paths }): Step => ({
            kind: 'wait_for',
            params: {
              until: picture
                ? { kind: 'text_visible', params: { camera: 'gate', contains_any: ['DHL'] } }
                : { kind: 'site_mode', params: ['disarmed'] },
              every: '5s',
              timeout: limit,
            },
            paths,
          }),
        ),
      },
    ),
  }
})

const trigger = fc.constantFrom<Trigger>(
  { kind: 'event', params: { schema: 'plate.recognized.v1' } },
  { kind: 'alert', params: {} },
  { kind: 'schedule', params: { at: '22:00' } },
  { kind: 'button', params: {} },
)

/** Any workflow that says something about guards, values, waits and rounds. */
export const workflow = fc
  .record({
    when: trigger,
    if: fc.oneof(fc.constant<Condition[]>([]), conditions),
    then: steps,
    always: steps,
  })
  .map((parts): Workflow => ({ contract: 'workflow.v1', name: 'Any', state: 'test', limits: {}, ...parts }))
  // The plate is clean where the trigger gives one, which is what the naive checker takes for granted.
  .filter(({ when, ...rest }) => when.kind === 'event' || !JSON.stringify(rest).includes('{trigger.plate}'))
