import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Log, ManualClock, noLog } from '../../src/core/index.ts'
import { eventually } from '../connect/helpers.ts'
import { NOW, startBox, workflowView } from './box.ts'

async function boxWith(mostBodyBytes?: number) {
  const errors: unknown[] = []
  const error = (...words: unknown[]) => errors.push(words)
  const log: Log = Object.assign(Object.create(noLog), { error })
  const box = await startBox(0, new ManualClock(NOW), undefined, {
    log,
    ...(mostBodyBytes && { mostBodyBytes }),
  })
  onTestFinished(() => box.stop())
  box.engine.all.set(1, workflowView(1, { state: 'on' }))
  const shed = async () => (await (await fetch(`${url}/api/v1/system/health`)).json()).shed.bodies as number
  const url = `http://127.0.0.1:${box.port}`
  const post = (bytes: number) =>
    fetch(`${url}/api/v1/hooks/secret-1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filler: 'x'.repeat(bytes) }),
    })
  /** A sender that has sent `bytes` of a body and stays; the returned function has it go away. */
  const stalled = async (bytes: number): Promise<() => void> => {
    const socket = connect(box.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `POST /api/v1/hooks/secret-1 HTTP/1.1\r\nhost: 127.0.0.1:${box.port}\r\n`
    await new Promise<void>(resolve =>
      socket.write(
        `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`,
        () => resolve(),
      ),
    )
    return () => socket.destroy()
  }
  return { box, post, shed, stalled, errors }
}

it('refuses a body for which all the others leave no room, counts it, and has the room again afterwards', async () => {
  const { post, shed, stalled, errors } = await boxWith(60_000)
  expect((await post(40_000)).status).toBe(202)
  expect((await post(40_000)).status).toBe(202)
  const leave = await stalled(50_000)
  let refused: Response | undefined
  for (let i = 0; i < 100 && refused?.status !== 503; i++) refused = await post(40_000)
  expect(refused?.status).toBe(503)
  expect(refused?.headers.get('retry-after')).toBe('2')
  expect(await refused?.json()).toMatchObject({ code: 'busy' })
  expect(await shed()).toBe(1)
  leave()
  let answered = 0
  for (let i = 0; i < 100 && answered !== 202; i++) {
    answered = (await post(40_000)).status
    if (answered !== 202) await Bun.sleep(20)
  }
  expect(answered).toBe(202)
  expect(errors).toEqual([])
})

it('logs no error where a sender goes away in the middle', async () => {
  const { box, stalled, errors, post } = await boxWith()
  const leave = await stalled(5_000)
  await Bun.sleep(50)
  leave()
  await Bun.sleep(50)
  expect((await post(10)).status).toBe(202)
  await eventually(() => box.engine.events.length === 1)
  expect(errors).toEqual([])
})
