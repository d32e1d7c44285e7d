/**
 * Writes random llama models as GGUF files: they load and generate for real and know nothing. The same options give
 * the same bytes. `bun test/inference/llama/gguf.ts FILE [--big]` writes one.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'

export interface ModelOptions {
  seed?: number
  embedding?: number
  layers?: number
  heads?: number
  kvHeads?: number
  feedForward?: number
  /** Tokens that the file says the model was trained for. */
  context?: number
  /** Tokens of two to four letters, on top of bytes, pieces of JSON and `pieces`. */
  syllables?: number
  /** Texts that are one token each. */
  pieces?: readonly string[]
  /** Two bytes a weight instead of four. */
  half?: boolean
  /** Jinja; null leaves it out. */
  template?: string | null
  architecture?: string
  /** What the model likes to say after a token, by their texts. */
  follows?: Readonly<Record<string, string>>
  /** It knows nothing but `follows`: all else has weights of nought. */
  blank?: boolean
}

export const chatml =
  "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

const special = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<think>', '</think>'] as const
const json = ['":', ' "', '",', '{"', '"}', 'true', 'false', 'null', ' t', 'he', 'in', 'er', 'on', 're', 'an']
const alignment = 32

/** Numbers of GGUF's types. */
const kind = { u32: 4, f32: 6, bool: 7, text: 8, list: 9, i32: 5 } as const

const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(n)
  return bytes
}
const u64 = (n: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(n))
  return bytes
}
const f32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(n)
  return bytes
}
const text = (s: string) => {
  const bytes = Buffer.from(s)
  return Buffer.concat([u64(bytes.length), bytes])
}

/** Uniform numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The letter that stands for each byte in vocabularies of this kind: printable ones for themselves. */
const letters: readonly string[] = (() => {
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => {
    const itself = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    return String.fromCodePoint(itself ? byte : next++)
  })
})()

interface Vocabulary {
  tokens: string[]
  /** 1 ordinary, 3 control, 4 made by the model's maker. */
  types: number[]
  merges: string[]
}

function vocabulary(pieces: readonly string[], syllables: number): Vocabulary {
  const tokens = [...letters]
  const known = new Set(tokens)
  const merges: string[] = []
  /** Letter after letter, so that each longer token is made of a shorter one and a letter. */
  const add = (piece: string): void => {
    const parts = [...Buffer.from(piece)].map(byte => letters[byte] ?? '')
    for (let end = 2; end <= parts.length; end++) {
      const token = parts.slice(0, end).join('')
      if (known.has(token)) continue
      known.add(token)
      tokens.push(token)
      merges.push(`${parts.slice(0, end - 1).join('')} ${parts[end - 1]}`)
    }
  }
  for (const piece of [...json, ...pieces]) add(piece)
  const wanted = tokens.length + syllables
  for (let n = 26; tokens.length < wanted; n++) {
    let syllable = ''
    for (let rest = n; syllable.length < 2 || rest > 0; rest = Math.floor(rest / 26))
      syllable = String.fromCharCode(97 + (rest % 26)) + syllable
    add(syllable)
  }
  const types = tokens.map(() => 1)
  for (const token of special) {
    tokens.push(token)
    types.push(token.endsWith('think>') ? 4 : 3)
  }
  return { tokens, types, merges }
}

interface Tensor {
  name: string
  shape: number[]
  /** Standard deviation of its weights; null: all ones, as norms begin. */
  spread: number | null
}

function tensorsOf(size: Required<ModelOptions>, vocabularySize: number): Tensor[] {
  const { embedding, layers, heads, kvHeads, feedForward } = size
  const keys = (embedding / heads) * kvHeads
  // As far apart as in a model of this width that was trained: logits stay in the tens.
  const spread = 1.6 / Math.sqrt(embedding)
  const tensors: Tensor[] = [{ name: 'token_embd.weight', shape: [embedding, vocabularySize], spread: 1 }]
  for (let layer = 0; layer < layers; layer++) {
    const add = (name: string, shape: number[], spread: number | null) =>
      tensors.push({ name: `blk.${layer}.${name}.weight`, shape, spread })
    add('attn_norm', [embedding], null)
    add('attn_q', [embedding, embedding], spread)
    add('attn_k', [embedding, keys], spread)
    add('attn_v', [embedding, keys], spread)
    add('attn_output', [embedding, embedding], spread)
    add('ffn_norm', [embedding], null)
    add('ffn_gate', [embedding, feedForward], spread)
    add('ffn_up', [embedding, feedForward], spread)
    add('ffn_down', [feedForward, embedding], spread)
  }
  tensors.push({ name: 'output_norm.weight', shape: [embedding], spread: null })
  tensors.push({ name: 'output.weight', shape: [embedding, vocabularySize], spread: spread * 1.25 })
  return tensors
}

const defaults: Required<ModelOptions> = {
  seed: 1,
  embedding: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  feedForward: 128,
  context: 4096,
  syllables: 0,
  pieces: [],
  half: false,
  template: chatml,
  architecture: 'llama',
  follows: {},
  blank: false,
}

/** Some 220 MB: an answer takes long enough that what surrounds it does not count. */
export const big: ModelOptions = {
  embedding: 768,
  layers: 9,
  heads: 12,
  kvHeads: 4,
  feedForward: 2560,
  syllables: 32_000,
  half: true,
}

function header(options: Required<ModelOptions>): { bytes: Buffer; tensors: Tensor[]; tokens: string[] } {
  const { tokens, types, merges } = vocabulary(options.pieces, options.syllables)
  const entries: Buffer[] = []
  const put = (key: string, type: number, ...value: Buffer[]) =>
    entries.push(Buffer.concat([text(key), u32(type), ...value]))
  const number = (key: string, value: number) => put(key, kind.u32, u32(value))
  const string = (key: string, value: string) => put(key, kind.text, text(value))
  const list = (key: string, type: number, values: Buffer[]) =>
    put(key, kind.list, u32(type), u64(values.length), ...values)
  const { architecture: name, embedding, heads } = options

  string('general.architecture', name)
  string('general.name', 'random')
  number('general.file_type', options.half ? 1 : 0)
  number(`${name}.context_length`, options.context)
  number(`${name}.embedding_length`, embedding)
  number(`${name}.block_count`, options.layers)
  number(`${name}.feed_forward_length`, options.feedForward)
  number(`${name}.attention.head_count`, heads)
  number(`${name}.attention.head_count_kv`, options.kvHeads)
  put(`${name}.attention.layer_norm_rms_epsilon`, kind.f32, f32(1e-5))
  number(`${name}.rope.dimension_count`, embedding / heads)
  number(`${name}.vocab_size`, tokens.length)
  string('tokenizer.ggml.model', 'gpt2')
  string('tokenizer.ggml.pre', 'gpt-2')
  list('tokenizer.ggml.tokens', kind.text, tokens.map(text))
  list('tokenizer.ggml.token_type', kind.i32, types.map(u32))
  list('tokenizer.ggml.merges', kind.text, merges.map(text))
  const first = tokens.length - special.length
  number('tokenizer.ggml.bos_token_id', first)
  number('tokenizer.ggml.eos_token_id', first + 2)
  number('tokenizer.ggml.padding_token_id', first)
  put('tokenizer.ggml.add_bos_token', kind.bool, Buffer.from([0]))
  if (options.template !== null) string('tokenizer.chat_template', options.template)

  const tensors = tensorsOf(options, tokens.length)
  let offset = 0
  const infos = tensors.map(tensor => {
    const { name, shape } = tensor
    const info = [text(name), u32(shape.length), ...shape.map(u64), u32(isHalf(options, tensor) ? 1 : 0)]
    info.push(u64(offset))
    offset += padded(bytesOf(options, tensor))
    return Buffer.concat(info)
  })
  const all = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(entries.length), ...entries, ...infos]
  const bytes = Buffer.concat(all)
  const filled = Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)])
  return { bytes: filled, tensors, tokens }
}

const padded = (bytes: number) => Math.ceil(bytes / alignment) * alignment
/** Norms always have four bytes a weight. */
const isHalf = (options: Required<ModelOptions>, tensor: Tensor) => options.half && tensor.spread !== null
const countOf = (tensor: Tensor | undefined) => tensor?.shape.reduce((a, b) => a * b, 1) ?? 0
const bytesOf = (options: Required<ModelOptions>, tensor: Tensor) =>
  countOf(tensor) * (isHalf(options, tensor) ? 2 : 4)

/** Weights that are drawn once; a tensor takes its own from somewhere among them. */
const poolSize = 1 << 20
/** How much more than by chance a token is liked that follows. */
const liking = 4

/** Writes the model. */
export function writeModel(path: string, given: ModelOptions = {}): void {
  const options = { ...defaults, ...given }
  const { bytes, tensors, tokens } = header(options)
  const next = random(options.seed)
  const draw = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next())
  const pool = Float32Array.from({ length: Math.min(poolSize, 16 * countOf(tensors[0])) }, draw)
  const file = openSync(path, 'w')
  try {
    writeSync(file, bytes)
    for (const tensor of tensors) {
      const start = Math.floor(next() * pool.length)
      // The embeddings are known, so that what follows can be told by them.
      const embedding = tensor.name === 'token_embd.weight'
      const parts =
        tensor.name === 'output.weight' && Object.keys(options.follows).length > 0
          ? [scripted(tensor, pool, start, tokens, options)]
          : drawn(tensor, pool, embedding ? 0 : start, options.blank && !embedding)
      for (const weights of parts) {
        const part = isHalf(options, tensor) ? new Float16Array(weights) : weights
        writeSync(file, new Uint8Array(part.buffer))
      }
      const size = bytesOf(options, tensor)
      if (padded(size) > size) writeSync(file, Buffer.alloc(padded(size) - size))
    }
  } finally {
    closeSync(file)
  }
}

/** A tensor's weights in parts, from `start` of the pool on. */
function* drawn(tensor: Tensor, pool: Float32Array, start: number, blank: boolean): Generator<Float32Array> {
  const count = countOf(tensor)
  const { spread } = tensor
  for (let at = 0; at < count; at += pool.length) {
    const length = Math.min(pool.length, count - at)
    if (spread === null) yield new Float32Array(length).fill(1)
    else if (blank) yield new Float32Array(length)
    else yield Float32Array.from({ length }, (_, i) => (pool[(start + i) % pool.length] ?? 0) * spread)
  }
}

/** The last tensor's weights: the row of a token to be said leans towards the embedding of the one before it. */
function scripted(
  tensor: Tensor,
  pool: Float32Array,
  start: number,
  tokens: readonly string[],
  { follows, blank }: Required<ModelOptions>,
): Float32Array {
  const [width = 0] = tensor.shape
  const [weights = new Float32Array()] = drawn(tensor, pool, start, blank)
  const indexOf = (said: string) => {
    const spelt = [...Buffer.from(said)].map(byte => letters[byte] ?? '').join('')
    return Math.max(tokens.indexOf(said), tokens.indexOf(spelt))
  }
  for (const [before, said] of Object.entries(follows)) {
    const [from, to] = [indexOf(before), indexOf(said)]
    if (from < 0 || to < 0) throw new Error(`no token says ${from < 0 ? before : said}`)
    for (let i = 0; i < width; i++) {
      const at = to * width + i
      weights[at] = (weights[at] ?? 0) + liking * (pool[from * width + i] ?? 0)
    }
  }
  return weights
}

if (import.meta.main) {
  const [path, size] = process.argv.slice(2)
  if (path === undefined) writeFileSync(2, 'Say where to: bun test/inference/llama/gguf.ts FILE [--big]\n')
  else writeModel(path, size === '--big' ? big : {})
}
