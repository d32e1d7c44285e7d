import { type Static, Type } from '@sinclair/typebox'
import { step } from '../../kind.ts'
import type { Json } from '../../types.ts'
import { literal, unclean } from '../given.ts'
import { camera, closed, duration, mapOf, matcher, oneOf, text } from '../params.ts'
import { checkAi } from './ai-check.ts'
import { anyField, type Field, fieldsOf, fieldValues, options } from './fields.ts'

const input = Type.Union(
  [
    oneOf(['picture', 'frames', 'text', 'event'], 'What is looked at.'),
    closed({
      frames: closed({
        count: Type.Integer({ minimum: 1, maximum: 16, expects: 'a whole number from 1 to 16' }),
        over: duration('The time over which they are spread.'),
      }),
    }),
    closed({ text: text('The text that is judged; it may hold placeholders.', 8000) }),
  ],
  {
    expects: 'picture, frames: { count, over }, text: "…" or event',
    description: 'What is looked at.',
  },
)

const rule = closed({
  when: Type.Optional(mapOf<Json>(matcher, 'Field → value, list of values or comparison; all must hold.')),
  then: text('The decision.', 64),
})

export const aiParams = closed({
  mode: oneOf(['look', 'investigate'], 'One look, or a search with tools.'),
  prompt: Type.Optional(text('What a Look is asked.', 8000)),
  input: Type.Optional(input),
  look_at: Type.Optional(camera("The camera role to look at; the trigger's where absent.")),
  max_age: Type.Optional(duration('The oldest picture that may be judged; 30s where absent.')),
  goal: Type.Optional(text('What an investigation is to find out.', 8000)),
  instructions: Type.Optional(text('What it should keep in mind.', 8000)),
  tools: Type.Optional(
    Type.Array(text('A tool.', 64), {
      minItems: 1,
      maxItems: 5,
      expects: 'a list of one to five tools',
      description: 'The tools that it may use.',
    }),
  ),
  memory: Type.Optional(oneOf(['run', 'camera'], 'What it remembers of earlier decisions.')),
  fields: Type.Optional(fieldsOf<Field>(anyField)),
  decision: options('What can be decided, besides unsure.', 'a list of decisions'),
  rules: Type.Optional(
    Type.Array(rule, {
      minItems: 1,
      maxItems: 64,
      expects: 'a list of { when: { field: … }, then: decision }',
      description: 'The first that matches decides; no match is unsure.',
    }),
  ),
  sure: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      expects: 'a number from 0 to 1',
      description: 'The least confidence; under it the outcome is unsure.',
    }),
  ),
  limits: Type.Optional(
    closed(
      {
        tool_calls: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 20,
            expects: 'a whole number from 1 to 20',
            description: 'The most tool calls.',
          }),
        ),
        seconds: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 3600,
            expects: 'a whole number of seconds from 1 to 3600',
            description: 'The most time, waiting for a person not counted.',
          }),
        ),
      },
      'Bounds of this step, within those of the box.',
    ),
  ),
})

export type AiParams = Static<typeof aiParams>

const skill = (it: AiParams): string => {
  if (it.mode === 'investigate') return 'investigate'
  const kind = typeof it.input === 'object' ? Object.keys(it.input)[0] : it.input
  return `look.${kind ?? 'picture'}`
}

export const ai = step({
  kind: 'ai',
  description:
    'Looks at a picture, frames or text, or investigates with tools, and comes to one of your decisions.',
  params: aiParams,
  aiPoint: true,
  templated: ['look_at', 'input.text'],
  naming: ['prompt', 'goal', 'instructions'],
  gives: it => ({
    decision: unclean('text', 'What was decided.'),
    reason: unclean('text', 'Why, in one line.'),
    ...(it.mode === 'investigate' && {
      evidence: unclean('text', 'What was called and what it answered, a line for each call.'),
    }),
    ...fieldValues(it.fields),
  }),
  paths: it => ({ place: 'inside', required: [...it.decision, 'unsure'], optional: [] }),
  needs: it => ({ cameras: literal(it.look_at), tools: it.tools ?? [], skills: [skill(it)] }),
  check: checkAi,
})
