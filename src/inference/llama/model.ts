import { basename } from 'node:path'
import type { Llama, LlamaContextSequence, LlamaGrammar, LlamaModel } from 'node-llama-cpp'
import { messageOf } from '../../core/index.ts'
import { Template } from './conversation.ts'
import { readHeader } from './header.ts'
import type { Library, Opened } from './library.ts'
import { holdToMemory, needOf } from './memory.ts'
import type { LanguageFile, LanguageLoaded } from './protocol.ts'
import { ConversationReader } from './reading.ts'
import { Refusal } from './refusal.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** Tokens that are computed at once, at most; more want more memory. */
const batch = { cpu: 64, gpu: 512 } as const
/**
 * Tokens of a conversation that are read at once: reading is called off between two pieces. Larger ones are read up to
 * a sixth faster on a processor, and a large model would be busy with one for many seconds.
 */
const piece = { cpu: 16, gpu: 256 } as const
/** Grammars that are kept ready. */
const maxGrammars = 16

interface Parts {
  library: Library
  llama: Llama
  model: LlamaModel
  sequence: LlamaContextSequence
  loaded: LanguageLoaded
}

/** A model in memory, with what it remembers of the last conversation. */
export class LoadedModel {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly sequence: LlamaContextSequence
  readonly template: Template
  readonly reader: ConversationReader
  readonly loaded: LanguageLoaded
  readonly #library: Library
  readonly #grammars = new Map<string, LlamaGrammar>()
  #vocabulary: Promise<Vocabulary> | null = null

  private constructor(parts: Parts, template: Template) {
    this.llama = parts.llama
    this.model = parts.model
    this.sequence = parts.sequence
    this.loaded = parts.loaded
    this.#library = parts.library
    this.template = template
    this.reader = new ConversationReader(parts.sequence, piece[parts.loaded.backend])
  }

  /** Loads a file; `path` is absolute. Throws `Refusal` where it is no model, or does not fit into memory. */
  static async load(path: string, wanted: LanguageFile, opened: Opened): Promise<LoadedModel> {
    const name = basename(path)
    const { library, llama, threads } = opened
    const backend = llama.gpu === false ? 'cpu' : 'gpu'
    const header = await readHeader(path)
    const contextTokens = Math.min(wanted.contextTokens, header.context ?? wanted.contextTokens)
    const batchSize = Math.min(contextTokens, batch[backend])
    holdToMemory(name, needOf(header, contextTokens, batchSize), wanted.maxBytes)
    let model: LlamaModel | null = null
    try {
      // What fits was judged above, by what this box keeps free.
      const memory = { ignoreMemorySafetyChecks: true }
      const layers = backend === 'cpu' ? { gpuLayers: 0 } : {}
      model = await llama.loadModel({ modelPath: path, ...memory, ...layers })
      const context = await model.createContext({
        ...memory,
        contextSize: contextTokens,
        sequences: 1,
        batchSize,
        threads,
        failedCreationRemedy: false,
      })
      const template = new Template(library, model)
      const loaded: LanguageLoaded = {
        architecture: header.architecture,
        template: template.name,
        contextTokens: context.contextSize,
        trainedTokens: model.trainContextSize,
        bytes: header.bytes,
        backend,
        threads,
      }
      const sequence = context.getSequence()
      return new LoadedModel({ library, llama, model, sequence, loaded }, template)
    } catch (error) {
      await model?.dispose()
      const words = `${name} cannot be loaded: it is damaged or of a kind that is not supported`
      throw new Refusal('down', `${words} (${messageOf(error)})`)
    }
  }

  /** A grammar, ready to be followed once. Throws `Refusal` where it is none. */
  async grammarState(text: string): Promise<InstanceType<Library['LlamaGrammarEvaluationState']>> {
    const grammar = this.#grammars.get(text) ?? (await this.#parse(text))
    // The one used last is the last to go.
    this.#grammars.delete(text)
    this.#grammars.set(text, grammar)
    const oldest = this.#grammars.keys().next()
    if (this.#grammars.size > maxGrammars && !oldest.done) this.#grammars.delete(oldest.value)
    return new this.#library.LlamaGrammarEvaluationState({ model: this.model, grammar })
  }

  vocabulary(): Promise<Vocabulary> {
    this.#vocabulary ??= vocabularyOf(this.model)
    return this.#vocabulary
  }

  /** Gives all its memory back. */
  async unload(): Promise<void> {
    await this.model.dispose()
  }

  async #parse(grammar: string): Promise<LlamaGrammar> {
    try {
      return await this.llama.createGrammar({ grammar })
    } catch (error) {
      throw new Refusal('refused', `the grammar of the answer is not valid: ${messageOf(error)}`)
    }
  }
}
