/** Models with a small memory: what is found out is cut to it, and an investigation never outgrows it. */
import { expect, test } from 'vitest'
import { type ChatRequest, LanguageError } from '../../../src/ai/index.ts'
import { type Said, Scripted } from '../scripted.ts'
import { call, decided, decisionOf, FINISH, tool, World } from './world.ts'

/** Counts its tokens, and refuses what does not fit, as the embedded one does. */
class Small extends Scripted {
  readonly contextTokens: number
  readonly #letters: number
  most = 0

  /** `letters`: of a token. */
  constructor(script: readonly Said[], contextTokens = 4_096, letters = 2.5) {
    super(script)
    this.contextTokens = contextTokens
    this.#letters = letters
  }

  override async chat(request: ChatRequest) {
    const letters = request.messages.reduce((sum, { text }) => sum + text.length, 0)
    const tokensIn = Math.ceil(letters / this.#letters)
    this.most = Math.max(this.most, tokensIn + request.maxTokens)
    if (this.most > this.contextTokens) throw new LanguageError('refused', `it has ${this.most} tokens`)
    return { ...(await super.chat(request)), tokensIn }
  }
}

const looks = ['gate', 'yard'].map(camera => call('describe_camera', { camera }))
const people = Array.from({ length: 60 }, (_, i) => ({ label: `person ${i}`, text: 'x'.repeat(70) }))
const talkative = () => tool({ handler: () => ({ result: people as never }) })
const flood = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key_${i}`, 'order '.repeat(100)]))

test('an event that says very much is cut to what fits', async () => {
  const model = new Small([FINISH, decided('known')])
  const came = decisionOf(await new World().run(model, [tool()], {}, { event: flood }))
  expect(came).toMatchObject({ decision: 'known', unsureReason: null })
  expect(model.told(0)).toContain('"key_1"')
})

test('so are the answers of tools', async () => {
  const model = new Small([...looks, FINISH, decided('known')])
  const came = decisionOf(await new World().run(model, [talkative()]))
  expect(came).toMatchObject({ decision: 'known', unsureReason: null, usage: { toolCalls: 2 } })
  expect(model.told(2)).toContain('person 0')
})

test('also where a model takes a token for almost every letter', async () => {
  const model = new Small([...looks, FINISH, decided('known')], 8_192, 1.1)
  const came = decisionOf(await new World().run(model, [talkative()]))
  expect(came).toMatchObject({ decision: 'known', unsureReason: null, usage: { toolCalls: 2 } })
})

test('where nothing more fits it decides by what it has', async () => {
  const world = new World()
  const fields = { note: { ask: 'long_text' as const } }
  const model = new Small([looks[0] ?? '', decided('known', { note: '' })], 3_300)
  const came = decisionOf(await world.run(model, [talkative()], { fields }))
  expect(world.told).toContain('limit refused context')
  expect(came).toMatchObject({ decision: 'known', unsureReason: null, usage: { toolCalls: 1 } })
})

test('what was shown stays as it was shown, so that it need not be read anew', async () => {
  const model = new Small([...looks, FINISH, decided('known')])
  await new World().run(model, [talkative()])
  const [, second, third] = model.asked.map(({ messages }) => messages)
  expect(third?.slice(0, second?.length)).toEqual(second)
})
