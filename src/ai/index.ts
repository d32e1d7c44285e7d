export { AnswererLanguageModel } from './clients/answerer.ts'
export { EmbeddedModel } from './clients/embedded.ts'
export { KaicModel } from './clients/kaic.ts'
export type { HttpModelOptions, LocalHttp } from './clients/local-http.ts'
export { OllamaModel } from './clients/ollama.ts'
export { OpenAiModel } from './clients/openai.ts'
export { type Drafting, type DraftOutcome, draftWorkflow } from './draft/index.ts'
export { type Gated, gateNeeds, gateWords, passes } from './gate.ts'
export * from './investigate/index.ts'
export {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  LanguageError,
  type LanguageFailure,
  type LanguageModel,
} from './language.ts'
export { runLook } from './look.ts'
export { sceneFacts } from './prompt/look.ts'
export { asksPictures } from './sights.ts'
export { narrowed } from './tool-names.ts'
export {
  defineTool,
  effectiveMode,
  Tool,
  type ToolAnswer,
  ToolBox,
  type ToolDefinition,
  type ToolMode,
  type ToolPicture,
} from './tools.ts'
export type * from './types.ts'
