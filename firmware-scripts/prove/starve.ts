/** Takes the memory from a box, as a model that is too large would. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { type Machine, until } from './machine.ts'

/** Control groups of this machine that hold memory: of version 1 where that is how they are, else of version 2. */
const v1 = existsSync('/sys/fs/cgroup/memory')
const top = v1 ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup'
const group = `${top}/gatehouse-prove-${process.pid}`
const limit = v1 ? 'memory.limit_in_bytes' : 'memory.max'
const told = v1 ? 'memory.oom_control' : 'memory.events'
const yard = '/var/lib/gatehouse/pictures/yard'
/** A child starts in this, beside an engine that works; to look at a picture it needs more. */
const tooLittle = 40 * 1024 * 1024
const enough = 2 * 1024 * 1024 * 1024
/** Of the demo's workflow: before that a picture starts no run. */
const cooldownMs = 5_000

interface Run {
  id: number
  status: string
  started_at: string
  steps: { kind: string; outcome: string | null; reason: string | null; unsure_reason: string | null }[]
}

/**
 * A Look with too little memory, which has to be unsure, and one with enough again, which has to decide. Engine,
 * inference and its child share the limit, so that it is the kernel who chooses: it has to be the child each time. The
 * limit is set from outside on the very processes, for containers have no say over memory on every machine; what it is
 * in the units is read from systemd.
 */
export async function starve(machine: Machine): Promise<string> {
  const mains = async () => [
    await machine.mainOf('gatehouse.service'),
    await machine.mainOf('gatehouse-inference.service'),
  ]
  const limits = await machine.run(
    'systemctl show --property MemoryMax --value gatehouse gatehouse-inference',
  )
  if (/infinity/.test(limits)) throw new Error('a service has no memory limit')
  await rested(machine)
  const before = await mains()
  try {
    await limited(machine, tooLittle)
    const starved = await look(machine, 'starved')
    if (String(await mains()) !== String(before)) throw new Error('a service was killed, not the child alone')
    if (starved.outcome !== 'unsure') throw new Error(`a Look without memory says ${starved.outcome}`)
    const kills = /^oom_kill (\d+)$/m.exec(await readFile(`${group}/${told}`, 'utf8'))?.[1]
    if (!Number(kills)) throw new Error('nothing ran out of memory')
    await writeFile(`${group}/${limit}`, String(enough))
    await rested(machine)
    const fed = await look(machine, 'fed')
    if (fed.outcome !== 'person')
      throw new Error(`a Look with memory again says ${fed.outcome}: ${fed.reason}`)
    if (String(await mains()) !== String(before)) throw new Error('a service was restarted')
    return `${kills} killed: ${starved.reason ?? starved.unsure_reason}; then: ${fed.reason}`
  } finally {
    await until('the group is empty', async () => {
      const left = (await readFile(`${group}/cgroup.procs`, 'utf8')).split('\n').filter(Boolean)
      for (const pid of left) await writeFile(`${top}/cgroup.procs`, pid).catch(() => undefined)
      return left.length === 0
    })
    await rmdir(group)
  }
}

/**
 * Until inference is there, which starts after an engine that has just begun and is ready without it, and a picture
 * would start a run. A child is there where one was needed since; none is on its way.
 */
async function rested(machine: Machine): Promise<void> {
  await until('both services are up', async () => {
    for (const service of ['gatehouse', 'gatehouse-inference'])
      if ((await machine.try(`systemctl is-active ${service}`)).code !== 0) return false
    return /ready|stopped/.test((await eyes(machine)).state)
  })
  await until('the box rests', async () => {
    const [latest] = await runs(machine)
    if (!latest || latest.status === 'running' || latest.status === 'waiting') return false
    return Date.now() - Date.parse(latest.started_at) > cooldownMs
  })
}

/** Puts both services, and the children that there will be, under a limit; a child that is there is made a new one. */
async function limited(machine: Machine, bytes: number): Promise<void> {
  await mkdir(group, { recursive: true })
  await writeFile(`${group}/${limit}`, String(bytes))
  const all = machine.processes('/gatehouse ')
  // Whoever starts children before them: those that come are born into it.
  for (const pid of all) await writeFile(`${group}/cgroup.procs`, String(pid))
  const listeners = machine.processes('--listen')
  const children = machine.processes('/gatehouse inference ').filter(pid => !listeners.includes(pid))
  if (listeners.length !== 1) throw new Error('inference does not run as a service')
  // The first Look starts one, and it is born into the limit.
  if (children.length === 0) return
  const { restarts } = await eyes(machine)
  for (const pid of children) process.kill(pid, 'SIGKILL')
  // It starts with this little: what comes now is for the models.
  await until('another child is ready', async () => {
    const now = await eyes(machine)
    return now.state === 'ready' && now.restarts > restarts
  })
}

async function eyes(machine: Machine): Promise<{ state: string; restarts: number }> {
  const { inference } = await machine.ask<{ inference: { state: string; restarts: number } }>(
    '/api/v1/system/health',
  )
  return inference
}

/** Shows the camera of the demo a picture, and waits for what its workflow says. */
async function look(machine: Machine, name: string): Promise<Run['steps'][number]> {
  const before = (await runs(machine))[0]?.id ?? 0
  await machine.run(`cp /media/pictures/person.jpg ${yard}/.part`)
  await machine.run(`chmod 644 ${yard}/.part; mv ${yard}/.part ${yard}/${name}.jpg`)
  let found: Run['steps'][number] | undefined
  await until(`a Look at ${name}`, async () => {
    const [latest] = await runs(machine)
    if (!latest || latest.id <= before) return false
    const run: Run = await machine.ask(`/api/v1/runs/${latest.id}`)
    found = run.steps.find(step => step.kind === 'ai' && step.outcome !== null)
    return found !== undefined
  })
  if (!found) throw new Error('unreachable')
  return found
}

async function runs(machine: Machine): Promise<Run[]> {
  const answer = await machine.ask<{ runs: Run[] } | Run[]>('/api/v1/runs?limit=1')
  return Array.isArray(answer) ? answer : answer.runs
}
