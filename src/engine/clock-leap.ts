import { type Leap, messageOf } from '../core/index.ts'
import { tellPeople } from './notices.ts'
import type { EngineDeps } from './ports.ts'

/**
 * The clock of the machine leapt: waits, questions, held moves, snoozes and sessions last as long as they were promised to,
 * and schedules follow the new time. `onMoved`: the rows say other times now.
 */
export async function clockLeapt(leap: Leap, deps: EngineDeps, onMoved: () => void): Promise<void> {
  const { store, log } = deps
  const { ms, sinceStart } = leap
  try {
    await store.write(() => {
      store.clockShift.by(ms, sinceStart)
      // In one with the rows: nobody sees old rows by the new time.
      leap.adopt()
    })
  } catch (error) {
    log.error(
      { error: messageOf(error) },
      'the clock leapt, and what is due could not follow; it is tried again',
    )
    throw error
  }
  log.warn({ ms, sinceStart }, 'the clock leapt')
  onMoved()
  const body = sinceStart
    ? 'It was wrong since the start. What was noted meanwhile bears the wrong time.'
    : 'Waits, questions and sessions last as long as before; schedules follow the new time. Look whether it is right.'
  await tellPeople(
    { title: `The clock was set ${spoken(ms)}`, body, severity: sinceStart ? 'low' : 'high' },
    deps,
  )
}

function spoken(ms: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000))
  const [n, unit] =
    minutes < 120
      ? [minutes, 'minutes']
      : minutes < 2880
        ? [Math.round(minutes / 60), 'hours']
        : [Math.round(minutes / 1440), 'days']
  return `${n} ${unit} ${ms > 0 ? 'forward' : 'back'}`
}
