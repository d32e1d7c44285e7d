import { availableParallelism } from 'node:os'
import { messageOf } from '../core/index.ts'
import { dieWithParent } from './parent-death.ts'
import { type FromChild, parseToChild, settings } from './protocol.ts'
import { Resources } from './resources.ts'
import type { Job } from './types.ts'

/** Idle time after which a model is dropped, where the parent does not say. */
const defaultDropAfterMs = 300_000

/**
 * The child's side: answers jobs from the parent until the parent goes. Call it once, in a process that a
 * `Supervisor` started; it resolves never and ends the process itself.
 */
export function runHost(jobs: Readonly<Record<string, Job>>): Promise<never> {
  const send = process.send?.bind(process)
  if (!send) throw new Error('inference is started by gatehouse itself: run "gatehouse up" instead')
  outliveNobody()
  // The executable starts with a compiler that waits; loops over pixels want it at once.
  Bun.unsafe.setJITPolicy(1)
  const modelsDir = process.env[settings.modelsDir] ?? ''
  const threads = Number(process.env[settings.threads]) || Math.max(1, availableParallelism() - 1)
  const resources = new Resources(Number(process.env[settings.dropAfterMs]) || defaultDropAfterMs)
  const running = new Map<number, AbortController>()

  const reply = (message: FromChild): void => {
    try {
      send(message)
    } catch (error) {
      if (message.kind === 'done')
        reply({ kind: 'failed', id: message.id, message: `the answer cannot be sent: ${messageOf(error)}` })
    }
  }

  const work = async (id: number, name: string, payload: unknown): Promise<void> => {
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined
    if (!job) return reply({ kind: 'failed', id, message: `there is no job "${name}"` })
    const controller = new AbortController()
    const user = resources.user()
    running.set(id, controller)
    try {
      const value = await job(payload, { resource: user.take, threads, modelsDir, signal: controller.signal })
      reply({ kind: 'done', id, value })
    } catch (error) {
      reply({ kind: 'failed', id, message: messageOf(error) })
    } finally {
      running.delete(id)
      user.letGo()
    }
  }

  process.on('message', received => {
    const message = parseToChild(received)
    if (message?.kind === 'job') void work(message.id, message.job, message.payload)
    if (message?.kind === 'abort') running.get(message.id)?.abort()
  })
  reply({ kind: 'ready' })
  return new Promise(() => {})
}

function outliveNobody(): void {
  dieWithParent()
  process.on('disconnect', () => process.exit(0))
  // A terminal's Ctrl-C and systemd's stop reach the whole group: the parent decides when its child ends.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
}
