/** What workflows with AI tell a peer, and what comes back from it: over real HTTP, into a box that moves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { eventually } from '../connect/helpers.ts'

const TELLER = `contract: workflow.v1
name: Teller
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: What is meant?
      input: event
      decision: [arm, leave]
      arm: []
      leave: []
      unsure:
        - webhook: { to: peer, json: { please: arm } }
`
const ARM = `contract: workflow.v1
name: Arm
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - site_mode: { to: armed_away }
`

it('an echo of what AI told a peer moves nothing, though its webhook is trusted', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-echo-'))
  let arm = ''
  const seen: (string | null)[] = []
  const answers: Response[] = []
  /** In which ways the peer gives back what it was told. */
  let echo: (id: string) => RequestInit = () => ({})
  const peer = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const id = request.headers.get('x-correlation-id')
      seen.push(id)
      answers.push(await fetch(arm, { method: 'POST', ...echo(id ?? '') }))
      return new Response('told')
    },
  })
  const site = Site.load(
    `trusted_webhooks: [arm]\ndestinations: { peer: { url: "http://127.0.0.1:${peer.port}/", class: tell } }\n`,
    join(dataDir, 'site.yaml'),
  )
  const box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  onTestFinished(async () => {
    await box.stop()
    await peer.stop(true)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { url } = await box.start()
  const at = (hook: string | null) => `${url?.replace('localhost', '127.0.0.1')}${hook}`
  const teller = await box.engine.save(TELLER)
  // A hook can be trusted once the workflow has its name.
  const named = await box.engine.save(ARM.replace('webhook', 'button'))
  const mover = named.ok ? await box.engine.save(ARM, { id: named.workflow.id }) : null
  if (!teller.ok || !mover?.ok) throw new Error(JSON.stringify([teller, named, mover]))
  for (const { workflow } of [teller, mover]) await box.engine.setState(workflow.id, 'on')
  arm = at(mover.workflow.hook)
  const moved = async (run: number) => (await box.engine.settled(run, 10_000)).steps[0]?.status

  // Asked by somebody else, it moves: the refusals below come from the echo alone.
  const direct = (await (await fetch(arm, { method: 'POST' })).json()) as { run: number }
  expect(await moved(direct.run)).toBe('done')

  const json = (body: object) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const ways: (typeof echo)[] = [
    id => ({ headers: { 'x-correlation-id': id } }),
    id => json({ correlation_id: id }),
    id => json({ correlation_id: 'mine', forwarded: { correlation_id: id } }),
    () => json({ alert: { title: 'x', evidence: { chain: ['teller'] } } }),
  ]
  for (const [n, way] of ways.entries()) {
    echo = way
    await fetch(at(teller.workflow.hook), { method: 'POST' })
    await eventually(() => answers.length === n + 1)
    const { run } = (await (answers[n] as Response).json()) as { run: number }
    expect([n, await moved(run)]).toEqual([n, 'failed'])
    expect(box.engine.run(run)?.steps[0]?.result).toMatchObject({ code: 'unguarded' })
  }
  expect(seen.every(id => id?.startsWith(`run_${box.store.meta.boxId}_`))).toBe(true)
})
