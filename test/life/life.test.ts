/** An hour of a site's life in a minute: nothing promised is lost, nothing moves twice, nothing is sent to strangers. */
import { expect, it } from 'vitest'
import { canSeparate } from '../egress/namespaces.ts'
import { liveApart } from './apart.ts'
import { growth } from './leaks.ts'
import { Ledger } from './ledger.ts'
import { hasServers } from './servers.ts'

it.skipIf(!canSeparate() || !hasServers)(
  'an hour with outages, restarts and a kill keeps all its promises',
  { timeout: 180_000 },
  async () => {
    const { report, astray, packets } = await liveApart({ hours: 1, speed: 90 })
    expect(report.broken).toEqual([])
    expect(astray).toEqual([])
    expect(packets).toBeGreaterThan(100)
    expect(report.startMs).toHaveLength(3)
    expect(Object.keys(report.byWorkflow).toSorted()).toEqual([
      ...['after', 'button', 'clock', 'gate', 'hook', 'yard'],
    ])
    expect(growth(report.samples).files).toBeLessThan(16)
  },
)

it('sees what was not kept', () => {
  const ledger = new Ledger()
  ledger.events.set('evt_1', 0)
  ledger.promised.add(7)
  const step = { kind: 'webhook', status: 'done', inputs: { to: 'barrier' }, result: { status: 200 } }
  const run = {
    ...{ id: 3, status: 'waiting', steps: [step] },
    ...{ workflow: { id: 1, slug: 'gate', name: 'Gate' }, trigger: { kind: 'event', event: {} } },
  }
  const twice = Array.from({ length: 2 }, () => ({ path: '/barrier', run: 'run_box_3', delivery: 'd' }))
  expect(ledger.judge([run as never], twice, () => false)).toEqual([
    'run 7 was promised and is not there',
    'event evt_1 began no run',
    'run 3 is waiting for good',
    'run 3 moved 2 times where 1 moves are done and 0 unknown',
  ])
})
