/** What the parent asks of a language model in the child, and what it answers. */

export const loadLanguageJob = 'language.load'
export const chatJob = 'language.chat'

/** A model file and what it may take. Another of these means another model: the one before is let go. */
export interface LanguageFile {
  /** A GGUF file: absolute, or under the child's folder of models. */
  file: string
  /** Tokens that question and answer may have together; at most what the model was trained for. */
  contextTokens: number
  /** Default: what the child gives its jobs. */
  threads?: number
  /** Memory that it may take; default what is free on the box. */
  maxBytes?: number
  /** Use a graphics processor where the libraries for it are installed. */
  gpu?: boolean
}

export interface LanguageLoaded {
  architecture: string
  /** How conversations are written for it. */
  template: string
  /** Tokens that question and answer may have together. */
  contextTokens: number
  trainedTokens: number
  /** Of its file. */
  bytes: number
  backend: 'cpu' | 'gpu'
  threads: number
}

export interface LanguageChat {
  model: LanguageFile
  messages: readonly { role: 'system' | 'user' | 'assistant'; text: string }[]
  /** GBNF. */
  grammar?: string
  temperature: number
  seed: number
  /** Of the answer; thinking has a bound of its own. */
  maxTokens: number
  likelihood?: { key: string; options: readonly string[] }
}

export interface LanguageSaid {
  text: string
  /** Of the conversation, whether read anew or remembered. */
  tokensIn: number
  /** Generated, thinking included. */
  tokensOut: number
  options?: { [option: string]: number }
  /** Of the conversation's tokens, those that were read anew; the last one is read for every answer and not counted. */
  readTokens: number
  /** Read on top for the likelihoods. */
  likelihoodTokens: number
  ms: { read: number; generate: number; likelihood: number }
  backend: 'cpu' | 'gpu'
}

/** A request that cannot be answered is an answer, not a failure of the child. */
export type LanguageRefusal = { ok: false; failure: 'refused' | 'down' | 'aborted'; message: string }
export type LoadAnswer = { ok: true; loaded: LanguageLoaded } | LanguageRefusal
export type ChatReply = { ok: true; said: LanguageSaid } | LanguageRefusal
