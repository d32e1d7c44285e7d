export { EmbeddedModel } from './clients/embedded.ts'
export type { HttpModelOptions, LocalHttp } from './clients/local-http.ts'
export { OllamaModel } from './clients/ollama.ts'
export { OpenAiModel } from './clients/openai.ts'
export {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from './language.ts'
export { runLook } from './look.ts'
export type * from './types.ts'
