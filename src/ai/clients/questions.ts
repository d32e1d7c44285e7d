/** One question for each key of an answer's form, for models that answer one question about one picture in free text. */
import type { JsonValue, Picture } from '../../core/index.ts'
import { LONGEST, UNSURE } from '../decision/question.ts'
import { type ChatRequest, LanguageError } from '../language.ts'
import { oneLine } from '../reason.ts'
import { numberIn, optionIn, yesNoIn } from '../vqa.ts'
import { at } from './local-http.ts'

export interface PictureQuestion {
  key: string
  /** In plain words: the author's task and the key's options, no data. */
  text: string
  schema: JsonValue
}

/** The picture that is asked about: the last one. Throws `LanguageError` where there is none. */
export function pictureIn({ messages }: ChatRequest, who: string): Picture {
  const picture = messages.flatMap(({ pictures = [] }) => pictures).at(-1)
  if (picture) return picture
  throw new LanguageError('refused', `${who} answers questions about pictures only: use another model`)
}

/** What is asked, one after the other; the reason is made of what was said. */
export function questionsOf(request: ChatRequest): PictureQuestion[] {
  return Object.entries(propertiesOf(request))
    .filter(([key]) => key !== 'reason')
    .map(([key, schema]) => ({ key, text: questionOf(key, schema, request.task ?? ''), schema }))
}

/** What was said to each, read as one of its options or as `unsure`: the answer as its form has it. */
export function answerOf(questions: readonly PictureQuestion[], texts: readonly string[]): string {
  const said: { [key: string]: JsonValue } = { reason: '' }
  for (const [i, { key, schema }] of questions.entries()) said[key] = valueIn(texts[i] ?? '', schema)
  said.reason = oneLine(texts.at(-1) ?? '', LONGEST.reason)
  return JSON.stringify(said)
}

function propertiesOf({ schema }: ChatRequest): { [key: string]: JsonValue } {
  const properties = schema?.properties
  if (properties !== null && typeof properties === 'object' && !Array.isArray(properties)) return properties
  throw new LanguageError('refused', 'this model answers questions with a form only')
}

/** In plain words; the options as they are written in the file. */
function questionOf(key: string, schema: JsonValue, task: string): string {
  const options = optionsOf(schema)
  const words = key.replaceAll('_', ' ')
  if (key === 'decision') return `${task} Answer with one of: ${options.join(', ')}.`
  if (isYesNo(options)) return `${task} About ${words}: answer yes or no.`
  if (options.length) return `${task} Which ${words}? Answer with one of: ${options.join(', ')}.`
  return `${task} What is the ${words}? Answer in a few words.`
}

function valueIn(text: string, schema: JsonValue): JsonValue {
  const options = optionsOf(schema)
  if (isYesNo(options)) return yesNoIn(text)
  if (options.length) return optionIn(text, options)
  const longest = at(schema, 'maxLength')
  if (typeof longest === 'number') return oneLine(text, longest)
  return numberIn(text)
}

/** Without `unsure`: a model that is offered it takes it. */
function optionsOf(schema: JsonValue): string[] {
  const options = at(schema, 'enum')
  return Array.isArray(options) ? options.map(String).filter(option => option !== UNSURE) : []
}

function isYesNo(options: readonly string[]): boolean {
  return options.length === 2 && options.includes('yes') && options.includes('no')
}
