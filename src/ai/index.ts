export type { ChatAnswer, ChatMessage, ChatRequest, LanguageFailure, LanguageModel } from './language.ts'
export { runLook } from './look.ts'
export type * from './types.ts'
