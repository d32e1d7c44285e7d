import { Type } from '@sinclair/typebox'
import { step } from '../../kind.ts'
import { list, unclean } from '../given.ts'
import { closed, duration, text, who } from '../params.ts'
import { whoNeeds } from '../who.ts'
import { checkDistinct } from './distinct.ts'
import { type AskedField, askedField, fieldsOf, fieldValues, options } from './fields.ts'
import { checkFieldNames, checkFields } from './fields-check.ts'

export const call = step({
  kind: 'call',
  description: 'Calls somebody, speaks with them toward a goal and comes to one of your outcomes.',
  aiPoint: true,
  params: closed({
    who,
    goal: text('What the call is for.', 4000),
    script: Type.Optional(text('What is said first.', 4000)),
    outcomes: options('What can come of it.', 'a list of outcomes'),
    fields: Type.Optional(fieldsOf<AskedField>(askedField)),
    timeout: duration('How long the call may last in all.'),
  }),
  templated: ['who', 'script'],
  naming: ['goal'],
  gives: it => ({
    answer: unclean('text', 'The outcome.'),
    answered_by: unclean('text', 'Who took the call; empty when nobody did.'),
    ...fieldValues(it.fields),
  }),
  paths: it => ({ place: 'beside', required: [], optional: [...it.outcomes, 'no_answer'] }),
  needs: it => ({ ...whoNeeds(list<string>(it.who)), skills: ['call'] }),
  check: (it, found) => {
    checkDistinct('outcomes', it.outcomes, found, 'outcome')
    checkFieldNames(it.fields ?? {}, found)
    checkFields(it.fields ?? {}, found)
  },
})
