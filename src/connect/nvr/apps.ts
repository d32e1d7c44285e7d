import { appFaults, plainText } from '../../contract/index.ts'
import { type Clock, cut, GatehouseError, type JsonValue, type Log } from '../../core/index.ts'
import { type Apps, parseJson, readJson } from '../../kinds/index.ts'
import type { KnownAction, KnownApp, NvrSetting } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { ExchangeAnswer } from '../http/exchange.ts'
import { typed } from './app-params.ts'
import { NVR, type NvrHttp } from './http.ts'
import { type Manifest, manifestsIn } from './manifests.ts'
import { Poll } from './poll.ts'

const KEY = 'nvr_apps'
const EVERY_MS = 60_000
/** An app may take ten seconds, and the NVR waits for it. */
const ACTION_TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 64 * 1024
/** Actions that are remembered as moves; more than apps may have. */
const MOST_MOVES = 4_096

interface Memory {
  /** The NVR that they are of. */
  url: string
  apps: Manifest[]
  /** `<app> <action>` that were a move once. */
  moves: string[]
}

export interface NvrAppsOptions {
  http: NvrHttp
  store: Store
  clock: Clock
  log: Log
  /** Something else is known of them than before. */
  onChange: () => Promise<void>
}

/**
 * The apps of the NVR: what their manifests say counts for workflows, remembered for when the NVR is away. An action
 * that was a move once stays one, whatever a later manifest says: only the site file loosens it.
 */
export class NvrApps implements Apps {
  readonly #options: NvrAppsOptions
  readonly #poll: Poll
  #memory: Memory | null = null
  /** What was made of the memory, for as long as that is the same. */
  #made: readonly KnownApp[] | null = null

  constructor(options: NvrAppsOptions) {
    this.#options = options
    this.#poll = new Poll(options.clock, EVERY_MS, signal => this.#look(signal))
  }

  start(): void {
    this.#poll.start()
  }

  stop(): Promise<void> {
    return this.#poll.stop()
  }

  get lacks(): string | null {
    return this.#options.http.setting ? null : 'there is no NVR: name one under nvr in the site file'
  }

  /** The apps of the NVR that a site names; null: it names none, or nobody told yet which there are. */
  of(setting: NvrSetting | null): readonly KnownApp[] | null {
    const { url, apps, moves } = this.#remembered
    if (setting?.url.href !== url) return null
    const held = new Set(moves)
    this.#made ??= apps.map(app => knownApp(app, held))
    return this.#made
  }

  /** For people; null: nobody told yet. */
  view(): JsonValue {
    const { apps } = this.#remembered
    const known = this.of(this.#options.http.setting)
    const says = new Map(apps.map(({ id, actions }) => [id, actions]))
    return (
      known?.map(({ id, name, raises, actions }) => ({
        id,
        name,
        raises_alerts: raises,
        actions: [...actions].map(([action, { label, informing }]) => ({
          name: action,
          label,
          class: informing ? 'tell' : 'move',
          ...(!informing &&
            says.get(id)?.find(each => each.name === action)?.informing && {
              note: `its manifest says that it only informs, and once it did not: list it under apps in the site file, as { ${id}: { ${action}: tell } }, if that is right`,
            }),
        })),
      })) ?? null
    )
  }

  async act({ id, action, params, deliveryId, correlationId, signal }: Parameters<Apps['act']>[0]) {
    const { http } = this.#options
    const known = this.of(http.setting)
      ?.find(app => app.id === id)
      ?.actions.get(action)
    const json = known ? checked(id, action, params, known) : params
    const request = {
      json,
      signal,
      deliveryId,
      correlationId,
      timeoutMs: ACTION_TIMEOUT_MS,
      maxBytes: MOST_ANSWER_BYTES,
    }
    const path = `/apps/${encodeURIComponent(id)}/actions/${encodeURIComponent(action)}`
    let answer = http.setting?.key
      ? await http.send('POST', { ...request, path: `/internal${path}` })
      : await http.send('POST', { ...request, path })
    // No such route there, so nothing was done: people's is asked, which records who it was as well.
    if (http.setting?.key && http.setting.token && (answer.status === 404 || answer.status === 405))
      answer = await http.send('POST', { ...request, path })
    const { status } = answer
    if (status >= 200 && status < 300) return resultIn(answer)
    if (status >= 500) throw http.refusal(status)
    throw new GatehouseError(
      'destination_refused',
      `${NVR} did not have ${id} do ${action} (${status}): ${hintIn(answer, http.setting)}.`,
      { status: 502 },
    )
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { http, store, log, onChange } = this.#options
    const { setting } = http
    const answer = await http.json({ path: '/apps', signal })
    if (!setting || signal.aborted) return
    const before = this.#remembered
    const next = remember(before, setting.url.href, manifestsIn(answer))
    if (JSON.stringify(next) === JSON.stringify(before)) return
    await store.write(() => store.meta.set(KEY, JSON.stringify(next)))
    this.#memory = next
    this.#made = null
    log.info({ apps: next.apps.map(({ id }) => id) }, 'the NVR has other apps than before')
    await onChange()
  }

  get #remembered(): Memory {
    this.#memory ??= memoryIn(this.#options.store.meta.get(KEY))
    return this.#memory
  }
}

function remember(before: Memory, url: string, apps: Manifest[]): Memory {
  const moves = apps.flatMap(({ id, actions }) =>
    actions.flatMap(({ name, informing }) => (informing ? [] : [`${id} ${name}`])),
  )
  const all = [...new Set([...before.moves, ...moves])]
  return { url, apps, moves: all.slice(-MOST_MOVES) }
}

/** What this box wrote itself. */
function memoryIn(text: string | null): Memory {
  return text === null ? { url: '', apps: [], moves: [] } : (JSON.parse(text) as Memory)
}

function knownApp({ id, name, raises, actions }: Manifest, held: ReadonlySet<string>): KnownApp {
  const known = actions.map(({ name: action, label, informing, params }): [string, KnownAction] => [
    action,
    {
      label,
      informing: informing && !held.has(`${id} ${action}`),
      params: new Map(params.map(({ name: param, ...rest }) => [param, rest])),
    },
  ])
  return { id, name, raises, actions: new Map(known) }
}

/** Throws `bad_request`: nothing has left the box. */
function checked(
  id: string,
  action: string,
  given: { [name: string]: JsonValue },
  { params }: KnownAction,
): { [name: string]: JsonValue } {
  const made = typed(given, params)
  // What was filled in is a text like any other by now, whatever stands in it.
  const [fault] = appFaults(made, params, { filled: true })
  if (fault) throw new GatehouseError('bad_request', `${id}: ${action} ${fault.message}.`)
  return made
}

/** Done is done, also where the app's answer cannot be read. */
function resultIn({ body }: ExchangeAnswer): JsonValue {
  try {
    return readJson(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

function hintIn({ status, body }: ExchangeAnswer, setting: NvrSetting | null): string {
  const said = detailIn(body)
  if (said !== null && said !== 'Not Found') return said
  if (status === 404 && !setting?.token)
    return 'has it no such action, or no internal route for it? Then name a token under nvr'
  if (status === 401 || status === 403) return 'write what it lets in into the secrets that nvr names'
  return 'look at the app there'
}

/** What the NVR says about it, in one line. */
function detailIn(body: Uint8Array): string | null {
  try {
    const answer = parseJson(new TextDecoder().decode(body)) as { detail?: unknown } | null
    const detail = answer?.detail
    return typeof detail === 'string' ? cut(plainText(detail).replace(/\s+/g, ' ').trim(), 200) : null
  } catch {
    return null
  }
}
