import type { Llama } from 'node-llama-cpp'

/** The library itself: loaded with the first job that wants it, and never in the engine's process. */
export type Library = typeof import('node-llama-cpp')

export interface Opened {
  library: Library
  llama: Llama
  threads: number
}

/** Loads llama.cpp: what is installed and nothing else, without a word. Takes some 300 ms. */
export async function openLibrary(threads: number, gpu: boolean): Promise<Opened> {
  const library = await import('node-llama-cpp')
  const llama = await library.getLlama({
    gpu: gpu ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: library.LlamaLogLevel.disabled,
    maxThreads: threads,
  })
  return { library, llama, threads }
}
