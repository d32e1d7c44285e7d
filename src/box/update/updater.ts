import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, GatehouseError, iso, messageOf, mintId } from '../../core/index.ts'
import { demandShelf } from '../../site/index.ts'
import type { AsOwner } from './as-owner.ts'
import { isDue } from './due.ts'
import { type Machine, run } from './machine.ts'
import { type SigningKey, signedComment, signingKeyIn } from './minisign.ts'
import { demandNewer, prepare } from './prepare.ts'
import { compareVersions, linkedIn, nameOf, type Release, releaseIn } from './release.ts'
import { type Found, newestAt, withShelf } from './source.ts'
import type { Asked, Kept, Last, UpdateState } from './status.ts'
import { Switch } from './switch.ts'

export interface UpdaterOptions {
  /** `/opt/gatehouse`. */
  opt: string
  /** The public key that whoever owns this machine put there, before that of the release. */
  keyFile: string
  state: UpdateState
  owner: AsOwner
  machine: Machine
  clock: Clock
  /** How long a new release is watched. */
  wellMs: number
  say(line: string): void
}

/** A look for a newer release is a day old before there is another by itself. */
const DAY_MS = 20 * 3_600_000

/** Looks for newer releases, installs them, and goes back. */
export class Updater {
  readonly #options: UpdaterOptions

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  get installed(): Release {
    return releaseIn(join(this.#options.opt, 'current'))
  }

  /** Which newer release there is; null: none. What it finds is told to everybody. */
  async check(from: string | null): Promise<Found | null> {
    const { state, clock } = this.#options
    try {
      const found = await this.#at(from, async newest => newest)
      const newer = found && compareVersions(found.release.version, this.installed.version) > 0 ? found : null
      const available = newer && { version: newer.release.version, notes: newer.notes }
      state.tell({ checked_at: iso(clock.now()), available, problem: null })
      return newer
    } catch (error) {
      state.tell({ checked_at: iso(clock.now()), problem: messageOf(error) })
      throw error
    }
  }

  /** Takes the newest release of a source over and looks at it; changes nothing that runs. Answers with its name. */
  async rehearse(from: string | null): Promise<string | null> {
    return this.#at(from, async found => {
      if (!found) return null
      demandNewer(found.release, this.installed)
      await rm(await prepare(found, this.#place(), () => undefined), { recursive: true, force: true })
      return nameOf(found.release)
    })
  }

  /** Installs the newest release of a source; null: there is none. Throws where it was refused. */
  async install(from: string | null): Promise<Last | null> {
    const { opt, state, machine, wellMs } = this.#options
    const current = linkedIn(opt, 'current') ?? ''
    let to: string | null = null
    let ready: string | null
    try {
      ready = await this.#at(from, async found => {
        if (!found) return null
        to = nameOf(found.release)
        let told = -1
        const heard = (percent: number) => {
          if (percent < told + 5) return
          told = percent
          state.tell({ underway: { to: nameOf(found.release), step: 'fetching', percent } })
        }
        heard(0)
        this.#options.say(`${nameOf(found.release)} is taken from ${found.at} and looked at.`)
        await prepare(found, this.#place(), heard)
        return nameOf(found.release)
      })
      if (ready === null) return null
    } catch (error) {
      this.#over('refused', current, to, messageOf(error))
      throw error
    }
    const wasReady = (await machine.ready()) === 'ready'
    const last = await this.#switch().run({
      ...{ id: mintId('update'), from: current, to: ready, phase: 'switching', tries: 0, kept: null },
      ...{ wellMs, wasReady, why: null, asked: false },
    })
    if (last.outcome === 'done') state.tell({ available: null })
    return last
  }

  /** Goes back to the release that ran before. */
  async rollBack(): Promise<Last> {
    const { opt, owner } = this.#options
    const current = linkedIn(opt, 'current')
    const others = existsSync(join(opt, 'releases')) ? readdirSync(join(opt, 'releases')) : []
    const [to] = others.filter(name => name !== current && !name.endsWith('.partial'))
    if (!current || to === undefined)
      throw new GatehouseError(
        'no_release',
        'No former release is here to go back to: run the install.sh of one.',
      )
    return this.#switch().run({
      ...{ id: mintId('update'), from: current, to, phase: 'back', tries: 0, wellMs: 0, wasReady: false },
      ...{ kept: await this.#demanded(to, owner), why: null, asked: true },
    })
  }

  /** What was begun is brought to its end. */
  async resume(): Promise<Last | null> {
    const { state, say } = this.#options
    const { underway } = state
    if (!underway) {
      // A download that was cut off has changed nothing.
      if (state.status.underway) state.tell({ underway: null })
      return null
    }
    say(`The update to ${underway.to} was cut off: it goes on.`)
    return this.#switch().run(underway)
  }

  /** What the timer and the engine start: ends what was begun, does what is asked, and what is due by itself. */
  async serve(): Promise<void> {
    const { owner, state, clock, say } = this.#options
    if (await this.resume()) return
    const asked = await owner.step<Asked | null>('asked')
    const { updates, zone, problem } = await owner.settings()
    if (problem !== null) say(`The site file is not understood, so nothing is looked for: ${problem}`)
    if (asked?.do === 'check') await this.check(null)
    else if (asked) await this.install(null)
    if (asked || !updates) return
    const now = clock.now()
    const { checked_at: at } = state.status
    if (at === null || now - Date.parse(at) > DAY_MS || now < Date.parse(at)) await this.check(null)
    const { available, last } = state.status
    if (!available || !isDue(updates.at, now, zone)) return
    // Once is enough of a release that came to nothing: the next time a person says so.
    const tried = last?.to?.startsWith(`${available.version}-`) && last.outcome !== 'done'
    if (!tried) await this.install(null)
  }

  /** `from`: as somebody named it, else as the site lists it. An address has to be listed. */
  async #at<T>(from: string | null, work: (found: Found | null) => Promise<T>): Promise<T> {
    const { owner } = this.#options
    const listed = (await owner.settings()).updates?.text ?? null
    const named = from ?? listed
    if (named === null)
      throw new GatehouseError(
        'no_source',
        'No source of updates is listed: write updates: { from: … } into site.yaml, or name one with --from.',
      )
    const shelf = demandShelf(named, true)
    if (shelf.kind === 'url' && named !== listed)
      throw new GatehouseError(
        'not_listed',
        'Nothing is fetched that is not listed: write it as updates.from into site.yaml.',
      )
    const { target } = this.installed
    const signed = async (text: string, signature: string) => {
      await signedComment(Buffer.from(text), signature, this.#key())
    }
    return withShelf(shelf, false, async place => work(await newestAt(place, { target, owner, signed })))
  }

  #place() {
    return { opt: this.#options.opt, installed: this.installed, key: this.#key() }
  }

  #key(): SigningKey {
    const { keyFile, opt } = this.#options
    const files = [keyFile, join(opt, 'updater/update.pub'), join(opt, 'current/update.pub')]
    const file = files.find(existsSync)
    if (file === undefined)
      throw new GatehouseError(
        'no_key',
        `No public key is here that releases are signed with: write it into ${keyFile}.`,
      )
    return signingKeyIn(readFileSync(file, 'utf8').slice(0, 4_000))
  }

  /** The former database, where the former release could not read the one that is there; null: it stays. */
  async #demanded(to: string, owner: AsOwner): Promise<Kept | null> {
    const { is } = await owner.step<{ is: number | null }>('schema')
    const said = await run([join(this.#options.opt, 'releases', to, 'gatehouse'), 'version', '--json'])
    const { schema = 0 } = JSON.parse(said) as { schema?: number }
    if (is === null || is <= schema) return null
    const kept = await owner.step<Kept | null>('kept')
    if (kept) return kept
    throw new GatehouseError(
      'no_release',
      `${to} cannot read the database as it is, and none of its time is kept: restore a backup of then instead.`,
    )
  }

  #switch(): Switch {
    const { opt, state, owner, machine, clock, say } = this.#options
    return new Switch({
      ...{ opt, state, machine, clock, say },
      keep: () => owner.step('keep'),
      putBack: (kept, why) => owner.step('put-back', JSON.stringify(kept), why),
    })
  }

  #over(outcome: Last['outcome'], from: string, to: string | null, why: string): void {
    const { state, clock } = this.#options
    state.end({ id: mintId('update'), outcome, from, to, at: iso(clock.now()), why })
  }
}

/** The folder of what is under way, made where it is not there. */
export async function makeStateFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
}
