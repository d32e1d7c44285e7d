import { type HttpModelOptions, KaicModel, type LanguageModel, OllamaModel, OpenAiModel } from './ai/index.ts'
import type { Clock } from './core/index.ts'
import type { LanguageSetting, Site } from './site/index.ts'
import { WatchedModel } from './watched-model.ts'

const CLIENTS = { openai: OpenAiModel, ollama: OllamaModel, kaic: KaicModel }

export interface SiteLanguageOptions {
  site: () => Site
  http: HttpModelOptions['http']
  clock: Clock
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

  #make(setting: LanguageSetting): LanguageModel {
    const { http, clock, embedded } = this.#options
    if (setting.kind === 'file') return embedded(setting.file)
    const { api, ...at } = setting
    return new CLIENTS[api]({ http, clock, ...at })
  }
}
