import { existsSync } from 'node:fs'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, iso, messageOf } from '../../core/index.ts'
import { watchHealth } from './health.ts'
import type { Machine } from './machine.ts'
import { linkedIn } from './release.ts'
import type { Kept, Last, Underway, UpdateState } from './status.ts'

/** A box that loses its power by its update so often goes back. */
const TRIES = 3
/** The former release ran before: it is waited for, and not judged. */
const BACK_MS = 0

export interface SwitchOptions {
  opt: string
  state: UpdateState
  machine: Machine
  /** The database as it is, kept beside it. */
  keep(): Promise<Kept | null>
  putBack(kept: Kept, why: string): Promise<{ restored: boolean }>
  clock: Clock
  say(line: string): void
}

/**
 * Puts one release in the place of another. Each stage is written down before it begins, and may be begun again:
 * wherever the power fails, the box has a release that starts, and whoever comes next ends what was begun.
 */
export class Switch {
  readonly #options: SwitchOptions

  constructor(options: SwitchOptions) {
    this.#options = options
  }

  /** From here to the end; answers with what came of it. */
  async run(underway: Underway): Promise<Last> {
    const { state } = this.#options
    const now = { ...underway, tries: underway.tries + 1 }
    state.keep(now)
    this.#step(now)
    if (now.phase !== 'back' && now.tries > TRIES) return this.#back(now, 'It was cut off again and again.')
    if (now.phase === 'back') return this.#back(now, now.why ?? 'It was cut off.')
    if (now.phase === 'watching') return this.#watch(now)
    return this.#forward(now)
  }

  async #forward(underway: Underway): Promise<Last> {
    const { opt, machine, keep, state, say } = this.#options
    try {
      // Where the new one is in its place already, what is kept is from before it.
      if (linkedIn(opt, 'current') !== underway.to || underway.kept === null) {
        await machine.stop()
        say('The engine is stopped; its database is copied.')
        underway = { ...underway, kept: await keep() }
        state.keep(underway)
      }
      await machine.install(join(opt, 'releases', underway.to), '--no-start')
    } catch (error) {
      return this.#back(underway, messageOf(error))
    }
    const watching: Underway = { ...underway, phase: 'watching' }
    state.keep(watching)
    this.#step(watching)
    const { pid } = await machine.view()
    if (pid !== 0) await machine.stop()
    await machine.start()
    return this.#watch(watching)
  }

  async #watch(underway: Underway): Promise<Last> {
    const { opt, machine, clock, say } = this.#options
    const { wellMs } = underway
    const why = await watchHealth({
      ...{ machine, clock, wellMs, wasReady: underway.wasReady },
      onReady: () => say(`${underway.to} is ready; it is watched for ${Math.round(wellMs / 1000)} seconds.`),
    })
    if (why !== null) return this.#back(underway, why)
    await linkTo(opt, underway.to)
    return this.#end(underway, 'done', null)
  }

  async #back(underway: Underway, why: string): Promise<Last> {
    const { opt, machine, putBack, state, clock, say } = this.#options
    const { from, to, asked, kept } = underway
    const back: Underway = { ...underway, phase: 'back', why }
    state.keep(back)
    this.#step(back)
    if (!asked) say(`${to} is not well: ${why} ${from} is put in its place again, with its database.`)
    await machine.stop()
    const told = asked ? `Somebody went back from ${to}.` : `The update to ${to} was taken back: ${why}`
    const goal = asked ? to : from
    // Where the other one is in its place already, its database is, too, and may have been written since.
    const due = kept !== null && linkedIn(opt, 'current') !== goal
    const { restored } = due ? await putBack(kept, told) : { restored: false }
    await this.#installed(goal)
    await machine.start()
    const still = await watchHealth({ machine, clock, wellMs: BACK_MS, wasReady: false })
    if (!asked && linkedIn(opt, 'current') === from)
      await rm(join(opt, 'releases', to), { recursive: true, force: true })
    if (asked) await linkTo(opt, to)
    const notes = [
      asked ? '' : why,
      restored
        ? 'The database is as it was before; what came since lies in damaged/ of the data folder.'
        : '',
      still === null ? '' : `${goal} does not start either: ${still} Look at journalctl --unit gatehouse.`,
    ]
    return this.#end(
      back,
      asked ? (still === null ? 'done' : 'failed') : 'rolled_back',
      notes.filter(Boolean).join(' ') || null,
    )
  }

  /** By its own installer; where that fails, by the link alone: its units are those that stand. */
  async #installed(name: string): Promise<void> {
    const { opt, machine, say } = this.#options
    const folder = join(opt, 'releases', name)
    try {
      await machine.install(folder, '--no-start', '--downgrade', '--ignore-checks')
    } catch (error) {
      say(`install.sh of ${name} fails (${messageOf(error)}): the program alone is put in its place.`)
      if (existsSync(folder)) await link(opt, 'current', name)
    }
  }

  #end({ id, from, to }: Underway, outcome: Last['outcome'], why: string | null): Last {
    const { state, clock, say } = this.#options
    const last: Last = { id, outcome, from, to, at: iso(clock.now()), why }
    state.end(last)
    const words = { done: `${to} is installed.`, rolled_back: `${from} runs again.` }
    say(
      [outcome === 'done' || outcome === 'rolled_back' ? words[outcome] : `${to} failed.`, why]
        .filter(Boolean)
        .join(' '),
    )
    return last
  }

  #step({ to, phase }: Underway): void {
    this.#options.state.tell({ underway: { to, step: phase, percent: 100 } })
  }
}

/** From now on updates are made by this release, and no older one. */
const linkTo = (opt: string, name: string) => link(opt, 'updater', name)

async function link(opt: string, which: 'current' | 'updater', name: string): Promise<void> {
  const partial = join(opt, `${which}.partial`)
  await rm(partial, { force: true })
  await symlink(`releases/${name}`, partial)
  await rename(partial, join(opt, which))
}
