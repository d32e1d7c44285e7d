import { expect, test } from 'vitest'
import { Thoughts } from '../../../src/inference/llama/thought.ts'
import { placeOfValue } from '../../../src/inference/llama/value.ts'

const valueIn = (text: string, key: string) => {
  const place = placeOfValue(text, key)
  return place && text.slice(place.start, place.end)
}

test.each([
  ['{"a":"x","b":"y"}', 'b', 'y'],
  ['{ "b" : "y", "a": 1 }', 'b', 'y'],
  ['{"a":{"b":"inner"},"c":["b","b"],"b":"y"}', 'b', 'y'],
  ['{"a":"b\\":\\"z","b":"y \\"q\\" \\\\"}', 'b', 'y \\"q\\" \\\\'],
  ['{"a":"b","b":"y"', 'b', 'y'],
  ['{"gr\\u00fcn":"ja"}', 'grün', 'ja'],
  ['{"b":""}', 'b', ''],
  ['{"b":"y', 'b', null],
  ['{"b":1}', 'b', null],
  ['{"a":"b"}', 'b', null],
  ['["b","y"]', 'b', null],
  ['[{"b":"y"}]', 'b', null],
  ['{"b', 'b', null],
  ['', 'b', null],
])('in %s the value of %s is %s', (text, key, value) => expect(valueIn(text, key)).toBe(value))

/** What of a sequence of tokens is answer: where it begins, and what the token before it said of it. */
function heard(tokens: readonly string[]) {
  const thoughts = new Thoughts([
    { open: '<think>', close: '</think>' },
    { open: '<|channel|>analysis', close: '<|end|>' },
  ])
  let answer = ''
  for (const token of tokens) {
    answer += token
    const after = thoughts.hear(token)
    if (after !== null) answer = after
  }
  return thoughts.opened ? null : answer
}

test.each([
  [['Yes', ', two'], 'Yes, two'],
  [['<think>', 'hm', '</think>', 'Yes'], 'Yes'],
  [['\n', '<', 'thi', 'nk', '>', 'a', '</th', 'ink', '>\n\nY', 'es'], '\n\nYes'],
  [['<think>a</think>b'], 'b'],
  [['<think>', '</think>', '\n', '<think>', 'again', '</think>', 'b'], 'b'],
  [['<|channel|>', 'analysis', 'x', '<|end|>', 'b'], 'b'],
  [['<thin', 'g> is here'], '<thing> is here'],
  [['Yes ', '<think>', 'not', '</think>'], 'Yes <think>not</think>'],
  [['<think>', 'for ever'], null],
])('of %j the answer is %j', (tokens, answer) => expect(heard(tokens)).toBe(answer))
