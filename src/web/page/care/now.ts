import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../language.ts'
import { useKnows } from '../together.ts'
import { bytes } from '../words.ts'
import { getMachine, type Machine } from './api.ts'
import { say, sayCount, sayTerm } from './words.ts'

const AGAIN_MS = 5_000

/** How the machine and the processes are, looked at again while somebody looks. */
export function Now({ unset }: { unset: boolean }) {
  const [machine, setMachine] = useState<Machine | null>(null)
  const [problem, setProblem] = useState('')
  useKnows(machine !== null || problem !== '')
  useEffect(() => {
    const look = () => {
      if (document.hidden) return
      getMachine().then(
        found => {
          setMachine(found)
          setProblem('')
        },
        (error: Error) => setProblem(error.message),
      )
    }
    look()
    const timer = window.setInterval(look, AGAIN_MS)
    return () => window.clearInterval(timer)
  }, [])
  return html`
    <section aria-labelledby="now">
      <h2 id="now">${say('now.title')}</h2>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${machine?.slowed && html`<p class="attention">${say('now.slowed')}</p>`}
      ${machine?.wear?.ends_soon && html`<p class="attention">${say('now.wear_ends')}</p>`}
      <dl class="facts rows">
        ${rowsOf(machine, unset).map(
          ([name, text]) => html`<div key=${name}><dt>${name}</dt><dd>${text}</dd></div>`,
        )}
      </dl>
    </section>
  `
}

/** As many before it is known as after: nothing jumps. */
function rowsOf(machine: Machine | null, unset: boolean): [string, string][] {
  if (!machine)
    return [say('now.heat'), say('now.memory'), say('now.up'), ...NAMES.map(nameOf), say('now.clock')].map(
      name => [name, '…'],
    )
  const { heat, memory, up_seconds: up, engine_up_seconds: engine, wear, processes } = machine
  const since = say('now.up_engine', { time: long(engine) })
  return [
    [
      say('now.heat'),
      heat ? say('now.degrees', { n: heat.celsius, limit: heat.limit }) : say('now.no_sensor'),
    ],
    [
      say('now.memory'),
      memory
        ? say('now.memory_of', { used: bytes(memory.total - memory.available), total: bytes(memory.total) })
        : t('box.unknown'),
    ],
    [say('now.up'), up === null ? since : `${long(up)}, ${since}`],
    ...processes.map((each): [string, string] => [nameOf(each.name), stateOf(each)]),
    ...(wear ? [[say('now.wear'), say('now.wear_of', { n: wear.used_percent })] as [string, string]] : []),
    [say('now.clock'), say(unset ? 'now.clock_unset' : 'now.clock_set')],
  ]
}

const NAMES = ['engine', 'pictures', 'language']

const nameOf = (name: string): string => sayTerm(`process.${name}`) ?? name

function stateOf({ state, bytes: held, restarts, pending }: Machine['processes'][number]): string {
  return [
    sayTerm(`process.${state}`) ?? state,
    ...(held === null ? [] : [bytes(held)]),
    ...(pending > 0 ? [say('process.waiting', { n: pending })] : []),
    ...(restarts > 0 ? [sayCount('process.restarts', restarts)] : []),
  ].join(', ')
}

/** The largest measure that fits. */
function long(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60))
  if (minutes < 120) return sayCount('now.minutes', minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? sayCount('now.hours', hours) : sayCount('now.days', Math.floor(hours / 24))
}
