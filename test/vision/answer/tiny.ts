/**
 * Writes a model that sees, in the form that owners bring: a folder with ONNX parts, tokenizer and settings. It knows
 * one thing, whether a picture is bright or dark, and says what it was told to say then. It proves the way of a picture
 * and a question through the real library, and nothing of what such models can do.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OnnxGraph } from '../../../models/convert/onnx.ts'

type Family = 'smolvlm' | 'llava' | 'qwen2_vl'

export interface TinyOptions {
  family?: Family
  /** What it says of a bright picture, in words that are tokens each. */
  bright?: readonly string[]
  dark?: readonly string[]
  /** It never comes to an end. */
  endless?: boolean
  /** Ending of the parts' names before `.onnx`, such as `_q8`. */
  suffix?: string
  /** Numbers of no use in the part that generates, to make it slow. */
  ballast?: number
}

const SPECIAL = [
  '[UNK]',
  '<pad>',
  '<end>',
  '<image>',
  '<fake_token_around_image>',
  '<global-img>',
  '<answer>',
  '<|image_pad|>',
  '<|vision_start|>',
]
const CLASSES = {
  smolvlm: { model: 'SmolVLMForConditionalGeneration', processor: 'SmolVLMProcessor', image: '<image>' },
  llava: { model: 'LlavaForConditionalGeneration', processor: 'LlavaProcessor', image: '<image>' },
  qwen2_vl: {
    model: 'Qwen2VLForConditionalGeneration',
    processor: 'Qwen2VLProcessor',
    image: '<|image_pad|>',
  },
} as const
const PIXELS = {
  smolvlm: ['batch', 'frames', 3, 'height', 'width'],
  llava: ['batch', 3, 'height', 'width'],
  // Four patches side by side become one token.
  qwen2_vl: ['patches', 2 * 3 * 14 * 14],
} as const
/** Pixels along a side of what it sees, and tokens that a picture becomes. */
const SIDE = 8
const SEEN = 4

/** Writes the folder. */
export function writeTiny(dir: string, options: TinyOptions = {}): void {
  const {
    family = 'smolvlm',
    bright = ['yes'],
    dark = ['no'],
    suffix = '',
    endless = false,
    ballast = 0,
  } = options
  const { image, ...classes } = CLASSES[family]
  const words = [...new Set([...bright, ...dark])]
  const vocabulary = [...SPECIAL, ...words]
  const put = (name: string, data: object) => writeFileSync(join(dir, name), JSON.stringify(data))
  mkdirSync(join(dir, 'onnx'), { recursive: true })
  const shape = {
    num_hidden_layers: 1,
    num_attention_heads: 1,
    num_key_value_heads: 1,
    hidden_size: vocabulary.length,
  }
  put('config.json', {
    model_type: family,
    architectures: [classes.model],
    image_token_id: SPECIAL.indexOf(image),
    image_token_index: SPECIAL.indexOf(image),
    video_token_id: -1,
    vision_start_token_id: SPECIAL.indexOf('<|vision_start|>'),
    vision_config: { spatial_merge_size: 2 },
    eos_token_id: SPECIAL.indexOf('<end>'),
    vocab_size: vocabulary.length,
    ...shape,
    text_config: { model_type: 'llama', ...shape },
  })
  put('generation_config.json', { eos_token_id: SPECIAL.indexOf('<end>'), pad_token_id: 1 })
  put('preprocessor_config.json', preprocessor(family))
  put('processor_config.json', {
    processor_class: classes.processor,
    image_seq_len: SEEN,
    image_token: '<image>',
    patch_size: SIDE / 2,
    num_additional_image_tokens: 0,
  })
  put('tokenizer.json', tokenizer(vocabulary))
  put('tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizer',
    eos_token: '<end>',
    pad_token: '<pad>',
    unk_token: '[UNK]',
    chat_template:
      '{% for message in messages %}{% for part in message.content %}' +
      `{% if part.type == 'image' %}${family === 'qwen2_vl' ? '<|vision_start|>' : ''}${image}{% else %}{{ part.text }}{% endif %}` +
      '{% endfor %}<end>{% endfor %}{% if add_generation_prompt %}<answer>{% endif %}',
  })
  const onnx = (name: string, graph: OnnxGraph) =>
    writeFileSync(join(dir, 'onnx', `${name}${suffix}.onnx`), graph.encode('gatehouse tests'))
  onnx('embed_tokens', embedding(vocabulary.length))
  onnx('vision_encoder', eye(vocabulary.length, family))
  onnx('decoder_model_merged', decoder(vocabulary, { family, bright, dark, endless, suffix, ballast }))
}

function preprocessor(family: Family): object {
  const common = {
    processor_class: CLASSES[family].processor,
    do_resize: true,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
    resample: 1,
  }
  if (family === 'llava')
    return { ...common, image_processor_type: 'CLIPImageProcessor', size: { height: SIDE, width: SIDE } }
  if (family === 'qwen2_vl') {
    const patches = { patch_size: 14, temporal_patch_size: 2, merge_size: 2 }
    const pixels = { min_pixels: 28 * 28, max_pixels: 4 * 28 * 28 }
    return { ...common, image_processor_type: 'Qwen2VLImageProcessor', ...patches, ...pixels }
  }
  const size = { size: { longest_edge: 4 * SIDE }, max_image_size: { longest_edge: SIDE } }
  return { ...common, image_processor_type: 'SmolVLMImageProcessor', do_image_splitting: false, ...size }
}

/** Whole words only; what is no word of it is unknown. */
function tokenizer(vocabulary: readonly string[]): object {
  return {
    version: '1.0',
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  }
}

/** One number a token. */
function embedding(size: number): OnnxGraph {
  const graph = new OnnxGraph()
  graph.input('input_ids', ['batch', 'length'], 'int64')
  const table = new Float32Array(size * size)
  // What stands where the picture comes is the picture's.
  for (let id = 0; id < size; id++) table[id * size + id] = /image/.test(SPECIAL[id] ?? '') ? 0 : 1
  const found = graph.node('Gather', [graph.floats([size, size], table), 'input_ids'])
  graph.output('inputs_embeds', found, ['batch', 'length', size])
  return graph
}

/** How bright a picture is, in the number of the picture's token. */
function eye(size: number, family: Family): OnnxGraph {
  const graph = new OnnxGraph()
  graph.input('pixel_values', PIXELS[family])
  if (family === 'smolvlm')
    graph.input('pixel_attention_mask', ['batch', 'frames', 'height', 'width'], 'bool')
  if (family === 'qwen2_vl') graph.input('grid_thw', ['pictures', 3], 'int64')
  const [numbers, seen] = family === 'qwen2_vl' ? [4 * 2 * 3 * 14 * 14, 1] : [3 * SIDE * SIDE, SEEN]
  const frames = graph.node('Reshape', ['pixel_values', graph.ints([-1, 1, numbers])])
  const mean = graph.node('ReduceMean', [frames, graph.ints([2])], { keepdims: 1 })
  const direction = new Float32Array(seen * size)
  for (let i = 0; i < seen; i++) direction[i * size + SPECIAL.indexOf('<image>')] = 1
  const features = graph.node('Mul', [mean, graph.floats([1, seen, size], direction)])
  const flat = graph.node('Reshape', [features, graph.ints([-1, size])])
  const shaped = family === 'qwen2_vl' ? flat : features
  graph.output('image_features', shaped, family === 'qwen2_vl' ? ['tokens', size] : ['frames', SEEN, size])
  return graph
}

/** All that was said and seen is added up in its memory; what it says next hangs on that and on the last token. */
function decoder(vocabulary: readonly string[], options: Required<TinyOptions>): OnnxGraph {
  const { family, bright, dark, endless, ballast } = options
  const size = vocabulary.length
  const graph = new OnnxGraph()
  graph.input('inputs_embeds', ['batch', 'length', size])
  graph.input('attention_mask', ['batch', 'total'], 'int64')
  graph.input('position_ids', family === 'qwen2_vl' ? [3, 'batch', 'length'] : ['batch', 'length'], 'int64')
  graph.input('past_key_values.0.key', ['batch', 1, 'past', size])
  graph.input('past_key_values.0.value', ['batch', 1, 'past', size])
  const now = graph.node('Unsqueeze', ['inputs_embeds', graph.ints([1])])
  const key = graph.node('Concat', ['past_key_values.0.key', now], { axis: 2 })
  const value = graph.node('Concat', ['past_key_values.0.value', now], { axis: 2 })
  const all = graph.node('ReduceSum', [key, graph.ints([2])], { keepdims: 0 })

  const at = (word: string) => vocabulary.indexOf(word)
  const matrix = () => new Float32Array(size * size)
  const seen = matrix()
  const follows = matrix()
  const set = (into: Float32Array, from: string, to: string, amount: number) => {
    into[at(from) * size + at(to)] = amount
  }
  const end = endless ? null : '<end>'
  for (const [answer, sign] of [
    [bright, 1],
    [dark, -1],
  ] as const) {
    const [first = ''] = answer
    set(seen, '<image>', first, 10 * sign)
    set(follows, '<answer>', first, 1_000)
    answer.forEach((word, i) => {
      set(follows, word, answer[i + 1] ?? end ?? first, 100_000)
    })
  }
  const bySight = graph.node('MatMul', [all, graph.floats([size, size], seen)])
  const byLast = graph.node('MatMul', ['inputs_embeds', graph.floats([size, size], follows)])
  let logits = graph.node('Add', [bySight, byLast])
  if (ballast > 0) logits = graph.node('Add', [logits, slow(graph, byLast, ballast, size)])
  graph.output('logits', logits, ['batch', 'length', size])
  graph.output('present.0.key', key, ['batch', 1, 'total', size])
  graph.output('present.0.value', value, ['batch', 1, 'total', size])
  return graph
}

/** Nought, by a long way. */
function slow(graph: OnnxGraph, from: string, ballast: number, size: number): string {
  const wide = graph.node('MatMul', [from, graph.floats([size, ballast], new Float32Array(size * ballast))])
  let value = wide
  const square = graph.floats([ballast, ballast], new Float32Array(ballast * ballast))
  for (let i = 0; i < 8; i++) value = graph.node('MatMul', [value, square])
  return graph.node('MatMul', [value, graph.floats([ballast, size], new Float32Array(ballast * size))])
}
