import {
  EmbeddedModel,
  type HttpModelOptions,
  KaicModel,
  type LanguageModel,
  OllamaModel,
  OpenAiModel,
} from '../ai/index.ts'
import type { Clock } from '../core/index.ts'
import type { Hardware, Preset } from '../hardware/index.ts'
import type { Inference } from '../inference/index.ts'
import { contextFor, type InstalledModels, roomOf } from '../models/index.ts'
import type { LanguageSetting, Site } from '../site/index.ts'
import { WatchedModel } from './watched-model.ts'

const CLIENTS = { openai: OpenAiModel, ollama: OllamaModel, kaic: KaicModel }

export interface SiteLanguageOptions {
  site: () => Site
  http: HttpModelOptions['http']
  clock: Clock
  /** Why the model may not investigate on this box; null: it may. Absent: whatever model there is may. */
  barred?(): string | null
  /** The model in a file that is installed on this box; it says itself where it cannot be run. */
  embedded(file: string): LanguageModel
}

/** The language model that the site names, as it is named now: one object as long as that stays the same. */
export class SiteLanguage {
  readonly #options: SiteLanguageOptions
  #made: { setting: string; model: WatchedModel } | null = null

  constructor(options: SiteLanguageOptions) {
    this.#options = options
  }

  /** Whether the site names one; whether it answers is another question. */
  get named(): boolean {
    return this.#options.site().language !== null
  }

  /** The model to ask, or null where none is named. */
  get model(): WatchedModel | null {
    const setting = this.#options.site().language
    if (!setting) return null
    const key = JSON.stringify(setting)
    if (this.#made?.setting !== key)
      this.#made = { setting: key, model: new WatchedModel(this.#make(setting), this.#options.clock) }
    return this.#made.model
  }

  /** Why the model may not investigate, or null. */
  get barred(): string | null {
    return this.#options.barred?.() ?? null
  }

  #make(setting: LanguageSetting): LanguageModel {
    const { http, clock, embedded } = this.#options
    if (setting.kind === 'file') return embedded(setting.file)
    const { api, ...at } = setting
    return new CLIENTS[api]({ http, clock, ...at })
  }
}

export interface FileModelsOptions {
  /** The child that holds the model. */
  inference: Inference
  installed: InstalledModels
  hardware: Hardware
  preset: Preset
  clock: Clock
}

/** Models out of the installed files of this box, as large a conversation as its memory allows. */
export function fileModels({
  inference,
  installed,
  hardware,
  preset,
  clock,
}: FileModelsOptions): SiteLanguageOptions['embedded'] {
  return file =>
    new EmbeddedModel({
      name: file.replace(/\.gguf$/i, ''),
      inference,
      model: {
        file: installed.path(file),
        contextTokens: contextFor(installed.path(file), roomOf(hardware)),
        gpu: preset.preset === 'gpu',
      },
      clock,
    })
}
