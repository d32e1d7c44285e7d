export { type Gguf, type GgufSource, ggufName, maxGgufHeader, readGguf, readGgufFile } from './gguf.ts'
export { type Weights, weightsOf } from './gguf-types.ts'
export { runHost } from './host.ts'
export { InferenceListener, type ListenerOptions } from './listener.ts'
export { type GgufHeader, headerOf } from './llama/header.ts'
export { holdToMemory, needOf } from './llama/memory.ts'
export {
  type ChatReply,
  chatJob,
  type LanguageChat,
  type LanguageFile,
  type LanguageLoaded,
  type LanguageRefusal,
  type LoadAnswer,
  loadLanguageJob,
} from './llama/protocol.ts'
export { Refusal, stopIfCalledOff } from './llama/refusal.ts'
export { type PicturePart, pictureFamilies, pictureNeedOf, picturePartsOf } from './picture-folder.ts'
export { Supervisor, type SupervisorOptions } from './supervisor.ts'
export {
  type Inference,
  InferenceError,
  type InferenceFailure,
  type InferenceStatus,
  type Job,
  type JobContext,
} from './types.ts'
