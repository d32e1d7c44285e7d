import {
  AnswererLanguageModel,
  asksPictures,
  EmbeddedModel,
  type HttpModelOptions,
  KaicModel,
  type LanguageModel,
  type LookInput,
  OllamaModel,
  OpenAiModel,
} from '../ai/index.ts'
import type { Clock } from '../core/index.ts'
import type { Hardware, Preset } from '../hardware/index.ts'
import type { Inference } from '../inference/index.ts'
import { contextFor, type InstalledModels, roomOf } from '../models/index.ts'
import type { LanguageSetting, Site, VisionSetting } from '../site/index.ts'
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
  /** The same of a model that sees, in a folder. */
  answerer(folder: string): LanguageModel
}

type Made = { setting: string; model: WatchedModel } | null

/**
 * The language model that the site names, as it is named now, and the one that it names for pictures: one object as
 * long as that stays the same.
 */
export class SiteLanguage {
  readonly #options: SiteLanguageOptions
  #made: Made = null
  #madeForPictures: Made = null

  constructor(options: SiteLanguageOptions) {
    this.#options = options
  }

  /** Whether the site names one; whether it answers is another question. */
  get named(): boolean {
    return this.#options.site().language !== null
  }

  /** The model to ask, or null where none is named. */
  get model(): WatchedModel | null {
    this.#made = this.#current(this.#made, this.#options.site().language)
    return this.#made?.model ?? null
  }

  /** The model that Looks at pictures ask instead, or null where none is named. */
  get vision(): WatchedModel | null {
    this.#madeForPictures = this.#current(this.#madeForPictures, this.#options.site().vision)
    return this.#madeForPictures?.model ?? null
  }

  /** Whom a Look asks. */
  for(input: LookInput): WatchedModel | null {
    return (asksPictures(input) && this.vision) || this.model
  }

  /** Why the model may not investigate, or null. */
  get barred(): string | null {
    return this.#options.barred?.() ?? null
  }

  #current(made: Made, setting: LanguageSetting | VisionSetting | null): Made {
    if (!setting) return null
    const key = JSON.stringify(setting)
    if (made?.setting === key) return made
    return { setting: key, model: new WatchedModel(this.#make(setting), this.#options.clock) }
  }

  #make(setting: LanguageSetting | VisionSetting): LanguageModel {
    const { http, clock, embedded, answerer } = this.#options
    if (setting.kind === 'file') return embedded(setting.file)
    if (setting.kind === 'folder') return answerer(setting.folder)
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

/** Models out of what is installed on this box; language models with as large a conversation as its memory allows. */
export function fileModels({
  inference,
  installed,
  hardware,
  preset,
  clock,
}: FileModelsOptions): Pick<SiteLanguageOptions, 'embedded' | 'answerer'> {
  return {
    embedded: file =>
      new EmbeddedModel({
        name: file.replace(/\.gguf$/i, ''),
        inference,
        model: {
          file: installed.path(file),
          contextTokens: contextFor(installed.path(file), roomOf(hardware)),
          gpu: preset.preset === 'gpu',
        },
        clock,
      }),
    answerer: name => new AnswererLanguageModel({ inference, model: { dir: installed.dir, name }, clock }),
  }
}
