import { expect, test } from 'vitest'
import { Site, SiteError } from '../../src/site/index.ts'

const destinations = `destinations:
  llm: { url: "http://192.168.1.9:8080", class: read }
  gate: { url: "http://192.168.1.10", class: move }
`
const load = (language: string) =>
  Site.load(`${destinations}${language && `language: ${language}\n`}`, 'site.yaml')
const problems = (language: string) => {
  try {
    load(language)
  } catch (error) {
    if (error instanceof SiteError)
      return error.problems.map(({ line, path, code }) => `${line} ${path} ${code}`)
    throw error
  }
  return []
}

test('a site names its language model: behind a listed server, in a file of the box, or none', () => {
  expect(load('{ destination: llm, api: openai, model: "qwen3:8b" }').language).toEqual({
    kind: 'server',
    destination: 'llm',
    api: 'openai',
    model: 'qwen3:8b',
    sees: false,
  })
  expect(load('{ destination: llm, api: ollama, model: qwen3-vl, sees: true }').language).toMatchObject({
    sees: true,
    api: 'ollama',
  })
  expect(load('{ model: qwen3-4b-q4.gguf }').language).toEqual({ kind: 'file', file: 'qwen3-4b-q4.gguf' })
  expect(load('{ destination: llm, api: kaic, model: vqa }').language).toMatchObject({
    sees: true,
    api: 'kaic',
  })
  expect(load('').language).toBeNull()
})

test.each([
  ['{ destination: other, api: openai, model: x }', '4 language.destination unknown_destination'],
  ['{ destination: gate, api: openai, model: x }', '4 language.destination wrong_value'],
  ['{ destination: llm, model: x }', '4 language missing_key'],
  ['{ api: openai, model: x.gguf }', '4 language.api missing_key'],
  ['{ model: x.gguf, sees: true }', '4 language.sees wrong_value'],
  ['{ model: ../x.gguf }', '4 language.model wrong_value'],
  ['{ model: x }', '4 language.model wrong_value'],
])('it refuses %s', (language, problem) => {
  expect(problems(language)).toEqual([problem])
})

test.each([
  '{ destination: llm, api: cloud, model: x }',
  '{}',
  'qwen',
  '{ model: x.gguf, url: "http://a" }',
  '{ destination: llm, api: openai, model: x, sees: maybe }',
])('it does not take %s', language => {
  expect(problems(language).length).toBeGreaterThan(0)
})

const vision = (text: string) => problems(`{ model: x.gguf }\nvision: ${text}`)

test('a site names whom Looks at pictures ask: a folder of the box, a listed server, or nobody', () => {
  const seen = (text: string) => load(`{ model: x.gguf }\nvision: ${text}`)
  expect(seen('{ model: SmolVLM-256M-Instruct }')).toMatchObject({
    language: { kind: 'file', file: 'x.gguf' },
    vision: { kind: 'folder', folder: 'SmolVLM-256M-Instruct' },
  })
  expect(seen('{ destination: llm, api: openai, model: qwen3-vl }').vision).toEqual({
    kind: 'server',
    destination: 'llm',
    api: 'openai',
    model: 'qwen3-vl',
    sees: true,
  })
  expect(load('').vision).toBeNull()
})

test.each([
  ['{ model: x.gguf }', '5 vision.model wrong_value'],
  ['{ model: x.onnx }', '5 vision.model wrong_value'],
  ['{ model: ../x }', '5 vision.model wrong_value'],
  ['{ model: x, sees: true }', '5 vision.sees wrong_value'],
  ['{ model: x, api: kaic }', '5 vision.api missing_key'],
  ['{ destination: gate, api: openai, model: x }', '5 vision.destination wrong_value'],
  ['{ destination: llm, model: x }', '5 vision missing_key'],
])('vision: it refuses %s', (text, problem) => {
  expect(vision(text)).toEqual([problem])
})
