/** The library that runs such models: loaded with the first job that wants it, and never in the engine's process. */
export type Library = typeof import('@huggingface/transformers')

/** Loads it, bound to the files of one folder: it fetches nothing, keeps nothing elsewhere and prints nothing. */
export async function openLibrary(modelsDir: string): Promise<Library> {
  const library = await import('@huggingface/transformers')
  const { env } = library
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = `${modelsDir}/`
  env.useFSCache = false
  env.useBrowserCache = false
  env.useWasmCache = false
  env.useCustomCache = false
  env.fetch = () => Promise.reject(new Error('nothing is fetched here'))
  env.logLevel = library.LogLevel.NONE
  return library
}
