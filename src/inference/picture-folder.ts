/** Models that answer questions about pictures: a folder with three ONNX parts, a tokenizer and settings. */

/** Kinds that are known, by `model_type` of `config.json`, and what their processor takes first. */
export const pictureFamilies: Readonly<Record<string, 'text' | 'picture'>> = {
  smolvlm: 'text',
  idefics3: 'text',
  qwen2_vl: 'text',
  llava: 'picture',
}

const PARTS = ['vision_encoder', 'embed_tokens', 'decoder_model_merged'] as const

/** How a part's numbers may be stored, by the ending of its name: the first that is there is used. */
const STORED: readonly (readonly [PartStore, string])[] = [
  ['q8', '_quantized'],
  ['int8', '_int8'],
  ['uint8', '_uint8'],
  ['q4', '_q4'],
  ['bnb4', '_bnb4'],
  ['fp32', ''],
  ['q4f16', '_q4f16'],
  ['fp16', '_fp16'],
]

export type PartStore = 'q8' | 'int8' | 'uint8' | 'q4' | 'bnb4' | 'fp32' | 'q4f16' | 'fp16'

export interface PicturePart {
  name: (typeof PARTS)[number]
  stored: PartStore
  /** Within the folder: the graph first, then what of its numbers lies beside it. */
  files: string[]
}

/** The parts of a model, of what lies in its folder `onnx`; a name where that part is missing. */
export function picturePartsOf(names: readonly string[]): PicturePart[] | { missing: string } {
  const parts: PicturePart[] = []
  for (const name of PARTS) {
    const found = STORED.find(([, ending]) => names.includes(`${name}${ending}.onnx`))
    if (!found) return { missing: `onnx/${name}.onnx` }
    const [stored, ending] = found
    const graph = `${name}${ending}.onnx`
    const beside = names.filter(each =>
      new RegExp(`^${graph.replaceAll('.', '\\.')}_data(_\\d{1,3})?$`).test(each),
    )
    parts.push({ name, stored, files: [graph, ...beside.sort()].map(file => `onnx/${file}`) })
  }
  return parts
}

/** Memory that a model takes whose parts have so many bytes, about: they are stored anew for this processor. */
export function pictureNeedOf(bytes: number): number {
  return Math.round(bytes * 1.5) + 300 * 1024 * 1024
}
