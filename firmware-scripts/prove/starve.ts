/** Takes the memory from inference, as a model that is too large would. */
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { type Machine, until } from './machine.ts'

const group = '/sys/fs/cgroup/memory/gatehouse-prove'
const yard = '/var/lib/gatehouse/pictures/yard'
const tooLittle = 24 * 1024 * 1024
const enough = 2 * 1024 * 1024 * 1024

interface Run {
  id: number
  status: string
  steps: { kind: string; outcome: string | null; reason: string | null; unsure_reason: string | null }[]
}

/**
 * A Look with too little memory, which has to be unsure, and one with enough again, which has to decide; the services
 * are the same all the while. The limit is set from outside on the very processes, for containers have no say over
 * memory on every machine; what it is in the unit is read from systemd.
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
  const before = await mains()
  await limited(machine, tooLittle)
  try {
    const starved = await look(machine, 'starved')
    if (starved.outcome !== 'unsure') throw new Error(`a Look without memory says ${starved.outcome}`)
    const kills = /^oom_kill (\d+)$/m.exec(await readFile(`${group}/memory.oom_control`, 'utf8'))?.[1]
    if (!Number(kills)) throw new Error('nothing ran out of memory')
    await writeFile(`${group}/memory.limit_in_bytes`, String(enough))
    // The workflow's cooldown: before that a picture starts no run.
    await Bun.sleep(6000)
    const fed = await look(machine, 'fed')
    if (fed.outcome !== 'person')
      throw new Error(`a Look with memory again says ${fed.outcome}: ${fed.reason}`)
    if (String(await mains()) !== String(before)) throw new Error('a service was restarted')
    return `${kills} killed: ${starved.reason ?? starved.unsure_reason}; then: ${fed.reason}`
  } finally {
    for (const pid of machine.processes('inference'))
      await writeFile('/sys/fs/cgroup/memory/cgroup.procs', String(pid))
    await until('the group is empty', async () => (await readFile(`${group}/cgroup.procs`, 'utf8')) === '')
    await rmdir(group)
  }
}

/** Puts inference, and the children that it will have, under a limit. */
async function limited(machine: Machine, bytes: number): Promise<void> {
  await mkdir(group, { recursive: true })
  await writeFile(`${group}/memory.limit_in_bytes`, String(bytes))
  const held = async () => {
    for (const pid of machine.processes('inference'))
      await writeFile(`${group}/cgroup.procs`, String(pid)).catch(() => undefined)
  }
  // Whoever starts children first: those that come are born into it.
  await held()
  // A child that has its models already would do without more memory.
  for (const pid of machine.processes('/gatehouse inference ').filter(pid => !isListener(machine, pid)))
    process.kill(pid, 'SIGKILL')
  await held()
}

function isListener(machine: Machine, pid: number): boolean {
  return machine.processes('--listen').includes(pid)
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
