import {
  asksPictures,
  type Decision,
  type DecisionSpec,
  type LookInput,
  type UnsureReason,
} from '../ai/index.ts'
import type { Picture } from '../core/index.ts'
import type { EngineDeps } from './ports.ts'

export type ProviderName = 'eyes' | 'language' | 'vision'

/** Somebody whom Looks need, and how it is tried whether they are there. */
export interface Provider {
  name: ProviderName
  /** The start of what people are told when they have been away. */
  missed: string
  /** A Look that needs nobody else. */
  spec: DecisionSpec
  input(now: number): LookInput
  /** What it comes to where they are away. */
  reason: readonly (UnsureReason | null)[]
  /** Whether they should be there at all. */
  named(deps: EngineDeps): boolean
}

export const PROBE_TIMEOUT_MS = 60_000

/** A grey square: whether anything can look at all needs no more. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIKMb3RD77SAA6VEEAoFAIBAIBAKBQCAQfA8G320AeXC6efoAAAAASUVORK5CYII=',
  'base64',
)
const NOTHING = { pictures: [], values: {}, facts: '', text: null }

const testPicture = (now: number): Picture => ({
  bytes: new Uint8Array(PICTURE),
  takenAt: now,
  source: 'a test picture',
})

/** Detector and reader. */
export const EYES: Provider = {
  name: 'eyes',
  missed: 'Nothing could look at its pictures',
  spec: {
    options: ['seen'],
    prompt: '',
    fields: { somebody: { measure: 'present', of: 'person' }, text: { measure: 'text' } },
    floor: null,
    rules: [{ then: 'seen' }],
    maxAgeMs: PROBE_TIMEOUT_MS,
  },
  input: now => ({ ...NOTHING, pictures: [testPicture(now)] }),
  reason: ['vision_down'],
  named: () => true,
}

const QUESTION: DecisionSpec = {
  options: ['yes'],
  prompt: 'Is anything said here?',
  fields: {},
  floor: null,
  rules: null,
  maxAgeMs: PROBE_TIMEOUT_MS,
}

/** The language model that the site names. One that is too slow for this is not there. */
export const LANGUAGE: Provider = {
  name: 'language',
  missed: 'Its language model did not answer',
  spec: QUESTION,
  // The picture is for those who take nothing else.
  input: now => ({ ...NOTHING, text: 'This is a test.', pictures: [testPicture(now)] }),
  reason: ['llm_down', 'over_budget'],
  named: deps => deps.language?.named ?? false,
}

/** The model that the site names for pictures. */
export const VISION: Provider = {
  name: 'vision',
  missed: 'Its model for pictures did not answer',
  spec: { ...QUESTION, prompt: 'Is anything seen here?' },
  input: now => ({ ...NOTHING, pictures: [testPicture(now)] }),
  reason: ['llm_down', 'over_budget'],
  named: deps => (deps.language?.vision ?? null) !== null,
}

/** Whom a Look asks what it neither measures nor knows. */
export function askedOf(input: LookInput, deps: EngineDeps): Provider {
  return asksPictures(input) && VISION.named(deps) ? VISION : LANGUAGE
}

/** Of a Look: why the model that it asks was not there, null where it answered, undefined where that is not known. */
export function modelDown(
  { unsureReason, reason, trace }: Pick<Decision, 'unsureReason' | 'reason' | 'trace'>,
  asked: Provider,
  deps: EngineDeps,
): string | null | undefined {
  if (unsureReason === 'llm_down') return asked.named(deps) ? reason : undefined
  return trace.some(({ kind, tokensOut }) => kind === 'model' && tokensOut !== undefined) ? null : undefined
}
