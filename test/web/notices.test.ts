import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ManualClock } from '../../src/core/index.ts'
import { type Box, startBox } from './box.ts'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
})
afterEach(() => box.stop())

const get = (query: string) => fetch(`http://127.0.0.1:${box.port}/api/v1/notices${query}`)
const ids = async (query: string) => {
  const { notices, next } = (await (await get(query)).json()) as { notices: { id: number }[]; next: number }
  return [notices.map(({ id }) => id), next]
}

it('lists what people were told, filtered and page by page', async () => {
  for (const [kind, severity, unsettled] of [
    ['alert', 'high', true],
    ['notify', 'low', false],
    ['alert', 'low', false],
    ['alert', 'critical', false],
  ] as const)
    box.engine.tell({ kind, severity, unsettled })
  expect(await ids('')).toEqual([[4, 3, 2, 1], null])
  expect(await ids('?limit=3')).toEqual([[4, 3, 2], 2])
  expect(await ids('?limit=3&before=2')).toEqual([[1], null])
  expect(await ids('?kind=alert&severity=low,high')).toEqual([[3, 1], null])
  expect(await ids('?severity=low&severity=critical')).toEqual([[4, 3, 2], null])
  expect(await ids('?unsettled=true')).toEqual([[1], null])
  expect(await ids('?unsettled=false&kind=notify,alert')).toEqual([[4, 3, 2, 1], null])
})

it('says what it does not understand', async () => {
  for (const bad of ['kind=log', 'severity=', 'severity=low,grave', 'unsettled=1', 'limit=201', 'before=0']) {
    const refused = await get(`?${bad}`)
    expect([bad, refused.status]).toEqual([bad, 400])
    expect(await refused.json()).toMatchObject({
      code: 'bad_query',
      detail: expect.stringMatching(/must be/),
    })
  }
})

it('tells it in the stream: what is known at first, then each as it comes', async () => {
  const tell = box.engine.tell.bind(box.engine)
  tell({ unsettled: true })
  for (let i = 2; i <= 30; i++) tell()
  const response = await fetch(`http://127.0.0.1:${box.port}/api/v1/stream`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (end: string) => {
    while (!text.includes(end)) text += (await reader?.read())?.value ?? ''
    return JSON.parse(text.slice(text.lastIndexOf('data: ') + 6))
  }
  const init = await until('\n\n')
  expect(init.notices.map(({ id }: { id: number }) => id)).toEqual(
    Array.from({ length: 20 }, (_, i) => 30 - i),
  )
  expect(init.unsettled).toEqual([box.engine.told.get(1)])
  const told = tell({ title: 'A van' })
  box.clock.advance(100)
  expect(await until('event: notice')).toEqual(told)
  await reader?.cancel()
})
