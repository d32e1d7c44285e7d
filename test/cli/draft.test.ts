import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { EXAMPLES } from '../../src/ai/draft/examples.ts'
import { check } from '../../src/engine/index.ts'
import { openAiServer } from '../ai/clients/servers.ts'
import { folder, gatehouse } from './gatehouse.ts'

const sentence = 'Tell the guard when somebody is in the yard.'

it('gatehouse draft: prints what the model of a site file wrote, and saves nothing', async () => {
  const data = folder()
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const [, good] = EXAMPLES.map(({ draft }) => JSON.stringify(draft))
  const barn = good?.replace('["yard"]', '["barn"]')
  const { port, asked } = openAiServer([barn ?? '', good ?? '', barn ?? ''])
  const site = join(data, 'site.yaml')
  writeFileSync(
    site,
    `
cameras: { yard: {} }
people: { ann: { roles: [guard] } }
destinations: { llm: { url: "http://127.0.0.1:${port}", class: read } }
language: { destination: llm, api: openai, model: m }
`,
  )
  const first = await gatehouse('draft', sentence, '--site', site, '--data', data)
  expect([first.code, first.err]).toEqual([0, ''])
  expect(check(first.out).workflow).toMatchObject({ name: 'Somebody in the yard', state: 'test' })
  expect(asked).toHaveLength(2)
  const never = await gatehouse('draft', sentence, '--site', site, '--data', data, '--json')
  expect(never.code).toBe(1)
  expect(JSON.parse(never.out)).toMatchObject({
    rounds: 2,
    model: expect.stringContaining('m'),
    problems: [{ severity: 'error', path: 'when.event.cameras[0]' }],
  })
})

it('gatehouse draft: says what is missing', async () => {
  expect(await gatehouse('draft')).toMatchObject({ code: 2, err: expect.stringContaining('one sentence') })
  const alone = await gatehouse('draft', sentence, '--port', '9')
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('no Gatehouse answers on port 9')])
})
