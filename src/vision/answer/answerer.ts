import type { PreTrainedModel, Processor, Tensor } from '@huggingface/transformers'
import { messageOf } from '../../core/index.ts'
import { type PicturePart, pictureFamilies, Refusal, stopIfCalledOff } from '../../inference/index.ts'
import type { AnswererModel, Answers } from '../answering.ts'
import type { Pixels } from '../worker/picture.ts'
import { type Library, openLibrary } from './library.ts'

/** What a processor makes of a question and a picture: numbers by name. */
type Inputs = { input_ids: Tensor } & Record<string, Tensor>

interface Parts {
  library: Library
  model: PreTrainedModel
  processor: Processor
  /** What the processor takes first. */
  first: 'text' | 'picture'
}

/** A model in memory. */
export class Answerer {
  readonly #library: Library
  readonly #model: PreTrainedModel
  readonly #processor: Processor
  readonly #first: 'text' | 'picture'
  readonly #of: AnswererModel

  private constructor(of: AnswererModel, parts: Parts) {
    this.#of = of
    this.#library = parts.library
    this.#model = parts.model
    this.#processor = parts.processor
    this.#first = parts.first
  }

  /** Loads the parts of a folder. Throws `Refusal` where they are no such model. */
  static async load(of: AnswererModel, parts: readonly PicturePart[], threads: number): Promise<Answerer> {
    const { dir, name } = of
    const library = await openLibrary(dir)
    try {
      const { AutoConfig, AutoProcessor, AutoModelForImageTextToText } = library
      const config = await AutoConfig.from_pretrained(name)
      const first = pictureFamilies[config.model_type ?? '']
      if (!first) throw new Error(`${String(config.model_type).slice(0, 40)} is not a kind that is known`)
      const processor = await AutoProcessor.from_pretrained(name)
      const model = await AutoModelForImageTextToText.from_pretrained(name, {
        config,
        device: 'cpu',
        dtype: Object.fromEntries(parts.map(part => [part.name, part.stored])),
        use_external_data_format: Object.fromEntries(
          parts.map(part => [part.files[0]?.slice('onnx/'.length) ?? '', part.files.length - 1]),
        ),
        session_options: {
          intraOpNumThreads: threads,
          graphOptimizationLevel: 'all',
          // Waiting threads sleep: spinning would take the cores from the engine and from each other.
          extra: { session: { intra_op: { allow_spinning: '0' } } },
        },
      })
      return new Answerer(of, { library, model, processor, first })
    } catch (error) {
      const words = `${name} cannot be loaded: it is damaged or of a kind that is not supported`
      throw new Refusal('down', `${words} (${oneLine(messageOf(error), dir)})`)
    }
  }

  /** Asks each question about the same picture, always for the likeliest words. Throws `Refusal` where it was called off. */
  async answer(
    { data, width, height }: Pixels,
    questions: readonly string[],
    maxTokens: number,
    signal: AbortSignal | undefined,
  ): Promise<Answers> {
    const picture = new this.#library.RawImage(data, width, height, 3)
    const seen = this.#seeOnce(signal)
    try {
      const answers: Answers = { texts: [], tokensIn: 0, tokensOut: 0 }
      for (const question of questions) {
        const inputs = await this.#inputs(question, picture)
        const read = inputs.input_ids.dims.at(-1) ?? 0
        const all = (await this.#model.generate({
          ...inputs,
          max_new_tokens: maxTokens,
          do_sample: false,
          num_beams: 1,
          return_dict_in_generate: false,
        } as Parameters<PreTrainedModel['generate']>[0])) as Tensor
        const said = all.slice(null, [read, all.dims.at(-1) ?? read])
        const [text = ''] = this.#processor.batch_decode(said, { skip_special_tokens: true })
        answers.texts.push(text.trim())
        answers.tokensIn += read
        answers.tokensOut += said.dims.at(-1) ?? 0
      }
      return answers
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Refusal(
        'down',
        `${this.#of.name} could not answer (${oneLine(messageOf(error), this.#of.dir)})`,
      )
    } finally {
      seen.end()
    }
  }

  /** Gives its memory back. */
  async unload(): Promise<void> {
    await this.#model.dispose()
  }

  async #inputs(question: string, picture: InstanceType<Library['RawImage']>): Promise<Inputs> {
    const content = [{ type: 'image' }, { type: 'text', text: this.#plain(question) }]
    const text = this.#processor.apply_chat_template([{ role: 'user', content }] as never, {
      add_generation_prompt: true,
    })
    const inputs = this.#first === 'text' ? this.#processor(text, [picture]) : this.#processor(picture, text)
    return (await inputs) as Inputs
  }

  /** What looks like a token of the model's own is no text that anybody asks. */
  #plain(question: string): string {
    const special = this.#processor.tokenizer?.all_special_tokens ?? []
    return special.reduce((text, token) => (token ? text.replaceAll(token, ' ') : text), question)
  }

  /**
   * The picture is looked at once for all questions, and each step lets the word through that nobody waits any more:
   * computing holds up everything else here.
   */
  #seeOnce(signal: AbortSignal | undefined): { end(): void } {
    const model = this.#model
    const { forward, encode_image: encode } = model
    let features: ReturnType<typeof encode> | null = null
    model.encode_image = inputs => {
      features ??= encode.call(model, inputs)
      return features
    }
    model.forward = async inputs => {
      await new Promise<void>(resolve => setImmediate(resolve))
      stopIfCalledOff(signal)
      return forward.call(model, inputs)
    }
    return {
      end: () => {
        model.forward = forward
        model.encode_image = encode
      },
    }
  }
}

/** Without the folder, which is nobody's business in a run. */
function oneLine(text: string, dir: string): string {
  return text.replaceAll(dir, '').replace(/\s+/g, ' ').slice(0, 200)
}
