/** What the parent asks of a model that answers questions about pictures, and what it answers. */

export const answerJob = 'vision.answer'

/** A model as the child needs it. Another of these means another model: the one before is let go. */
export interface AnswererModel {
  /** Where such models lie, each in a folder; absolute. */
  dir: string
  /** Its folder. */
  name: string
}

export interface AnswerRequest {
  model: AnswererModel
  /** An own buffer: what is sent is the whole buffer behind a view. */
  picture: Uint8Array
  /** Each is asked by itself, of the same picture. */
  questions: readonly string[]
  /** Of each answer. */
  maxTokens: number
}

export interface Answers {
  texts: string[]
  /** All of them together, with the picture's. */
  tokensIn: number
  tokensOut: number
}

/** A request that cannot be answered is an answer, not a failure of the child. */
export type AnswerReply =
  | { ok: true; answers: Answers }
  | { ok: false; failure: 'refused' | 'down' | 'aborted'; message: string }
