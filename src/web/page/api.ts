/** The box, as the page talks to it. */
import type {
  ApprovalView,
  HoldsView,
  NoticeView,
  RunSummary,
  RunView,
  StepView,
  UpkeepView,
  VersionView,
  WorkflowTrust,
  WorkflowView,
} from '../../engine/index.ts'
import { t } from './language.ts'
import { said, wordsReady } from './said.ts'

export type {
  ApprovalView,
  HoldsView,
  NoticeView,
  RunSummary,
  RunView,
  StepView,
  UpkeepView,
  VersionView,
  WorkflowTrust,
  WorkflowView,
}

const BASE = '/api/v1'

/** Dispatched on the window where the box does not know this browser (any more). */
export const SIGNED_OUT = 'signed-out'

/** What the box said about why it would not; its message is for people. */
export class Refused extends Error {
  /** For programs; null: the box gave none. */
  readonly code: string | null
  /** All that it answered. */
  readonly body: Readonly<Record<string, unknown>>
  constructor(message: string, code: string | null = null, body: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.body = body
  }
}

/** What the box answers at an address of its API; rejects with `Refused`. */
export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await reach(path, init)
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body as T
  throw await refusal(response, body)
}

/** The same of an answer that comes in lines of JSON; `signal` ends it. Rejects with `Refused`, also where it broke off. */
export async function follow<T>(path: string, init: RequestInit, each: (line: T) => void): Promise<void> {
  const response = await reach(path, init)
  if (!response.ok || !response.body) throw await refusal(response, await response.json().catch(() => null))
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read().catch((error: Error) => {
      throw init.signal?.aborted ? error : new Refused(t('app.silent'))
    })
    if (done) return
    const parts = (rest + value).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = JSON.parse(part) as T & { problem?: { detail: string; code: string } }
      if (line.problem) throw new Refused(said(line.problem.detail), line.problem.code)
      each(line)
    }
  }
}

/** A picture at an address of the API; rejects with `Refused`. */
export async function blobOf(path: string): Promise<Blob> {
  const response = await reach(path)
  if (response.ok) return response.blob()
  throw await refusal(response, await response.json().catch(() => null))
}

/** What is answered as a file, kept by the browser under the name that the box gives it. Resolves with its bytes. */
export async function download(
  path: string,
  init: RequestInit,
  progress: (bytes: number) => void = () => undefined,
): Promise<number> {
  const response = await reach(path, init)
  if (!response.ok || !response.body) throw await refusal(response, await response.json().catch(() => null))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused(t('app.silent'))
    })
    if (done) break
    parts.push(value)
    bytes += value.length
    progress(bytes)
  }
  const link = document.createElement('a')
  const said = response.headers.get('content-disposition') ?? ''
  link.download = /filename="([\w.-]+)"/.exec(said)?.[1] ?? 'gatehouse'
  link.href = URL.createObjectURL(new Blob(parts))
  link.click()
  URL.revokeObjectURL(link.href)
  return bytes
}

async function reach(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(BASE + path, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new Refused(t('app.silent'))
  }
}

async function refusal(response: Response, body: unknown): Promise<Refused> {
  const { detail, code } = (body ?? {}) as { detail?: unknown; code?: unknown }
  await wordsReady
  if (response.status === 401 && code !== 'wrong_login') window.dispatchEvent(new Event(SIGNED_OUT))
  return new Refused(
    typeof detail === 'string' ? said(detail) : t('app.answered', { status: response.status }),
    typeof code === 'string' ? code : null,
    Object(body),
  )
}

export interface RunPage {
  runs: RunSummary[]
  next: number | null
}

export const getRuns = (options: { workflow?: number; before?: number } = {}): Promise<RunPage> => {
  const query = options.before === undefined ? '' : `?before=${options.before}`
  return ask(`${options.workflow === undefined ? '' : `/workflows/${options.workflow}`}/runs${query}`)
}

export const getRun = (id: number): Promise<RunView> => ask(`/runs/${id}`)

export const getWorkflow = (
  id: number,
): Promise<WorkflowView & { yaml: string | null; trust: WorkflowTrust; beyond: string | null }> =>
  ask(`/workflows/${id}`)

/** What the page wants to know of the site. */
export const getSite = (): Promise<{
  time_zone: string
  cameras?: { roles: string[] }[]
  safe_mode?: string | null
}> => ask('/system/health')

export const post = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** `confirm`: also where marked runs come out differently. */
export const setState = (id: number, state: WorkflowView['state'], confirm = false): Promise<WorkflowView> =>
  ask(`/workflows/${id}/state${confirm ? '?confirm=true' : ''}`, post({ state }))

export const markRun = (id: number, right: boolean): Promise<RunView> =>
  ask(`/workflows/runs/${id}/mark`, post({ right }))

export const getVersions = (id: number): Promise<{ versions: VersionView[] }> =>
  ask(`/workflows/${id}/versions`)

/** `over`: the version that was looked at; refused where another one is in force by now. */
export const rollBack = (id: number, version: number, over: number): Promise<{ workflow: WorkflowView }> =>
  ask(`/workflows/${id}/rollback`, post({ version, over }))

export const stopRun = (id: number): Promise<RunView> => ask(`/runs/${id}/stop`, post({}))

export const settleRun = (id: number, happened: boolean, step: number): Promise<RunView> =>
  ask(`/runs/${id}/settle`, post({ happened, step }))

/** What people were told, newest first. */
export const getNotices = (before: number): Promise<{ notices: NoticeView[]; next: number | null }> =>
  ask(`/notices?before=${before}`)

export const getApprovals = (): Promise<{ approvals: ApprovalView[] }> => ask('/approvals')

/** Answers a question; refused where somebody was faster. */
export const answer = (id: number, reply: string): Promise<ApprovalView> =>
  ask(`/approvals/${id}`, post({ reply }))

export const pauseMoves = (paused: boolean): Promise<HoldsView> =>
  ask('/system/pause', post({ paused }, 'PUT'))

export const releaseMove = (run: number, go: boolean): Promise<RunView> =>
  ask(`/runs/${run}/release`, post({ do: go }))

/** `duration` null ends the snooze. */
export const snoozeWorkflow = (id: number, duration: string | null): Promise<WorkflowView> =>
  ask(`/workflows/${id}/snooze`, post({ for: duration }))

/** Starts a workflow by its webhook or its button, with a picture where there is one. */
export const start = (
  workflow: WorkflowView,
  picture: File | null,
  camera: string,
): Promise<{ run: number | null; reason: { message: string } | null }> => {
  const form = new FormData()
  form.set('event', JSON.stringify(camera ? { camera } : {}))
  if (picture) form.set('picture', picture)
  const path = workflow.hook ? workflow.hook.slice(BASE.length) : `/workflows/${workflow.id}/press`
  return ask(path, { method: 'POST', body: form })
}

/** Writes to a workflow. */
export const sendMessage = (
  id: number,
  text: string,
): Promise<{ run: number | null; reason: { message: string } | null }> =>
  ask(`/workflows/${id}/message`, post({ text, channel: 'page' }))

/** Pictures are stored once and never change. */
export const pictureUrl = (media: number): string => `${BASE}/media/${media}`

/** What became no run since the start of the box, by reason. */
export type Shed = Readonly<Record<string, number>>

export interface Listener {
  init(all: {
    workflows: WorkflowView[]
    runs: RunSummary[]
    approvals: ApprovalView[]
    holds: HoldsView
    shed: Shed
    storage: UpkeepView
    notices: NoticeView[]
    unsettled: NoticeView[]
  }): void
  run(run: RunSummary & RunView): void
  step(change: { run: number; step: StepView }): void
  approval(view: ApprovalView): void
  notice(view: NoticeView): void
  workflow(view: WorkflowView): void
  holds(view: HoldsView): void
  keepalive(said: { shed: Shed; storage: UpkeepView }): void
  /** Whether the stream stands. */
  live(live: boolean): void
}

/** So long after the last that was heard a line counts as cut, though nobody said so: the box says something every 15 s. */
const SILENT_MS = 40_000
/** A box that would not have a stream is asked again after so long. */
const AGAIN_MS = 3_000

export interface Listening {
  end(): void
  /** Tries again at once. */
  again(): void
}

const TOLD = ['init', 'run', 'step', 'approval', 'notice', 'workflow', 'holds', 'keepalive'] as const

/** Listens to what happens. It comes back by itself after a break, and hears what it missed meanwhile. */
export function listen(listener: Listener): Listening {
  let last = ''
  let source: EventSource | null = null
  let timer: number | undefined
  const later = (ms: number) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(open, ms)
  }
  const heard = () => {
    listener.live(true)
    later(SILENT_MS)
  }
  function open() {
    if (source) {
      source.close()
      listener.live(false)
    }
    const own = new EventSource(`${BASE}/stream${last && `?after=${last}`}`)
    source = own
    later(SILENT_MS)
    for (const event of TOLD)
      own.addEventListener(event, ({ data, lastEventId }) => {
        last = lastEventId
        heard()
        listener[event](JSON.parse(data))
      })
    own.addEventListener('open', heard)
    own.addEventListener('error', () => {
      if (source !== own) return
      listener.live(false)
      // Closed for good (the box refused): nothing but a new one helps.
      if (own.readyState !== EventSource.CLOSED) return
      window.dispatchEvent(new Event(SIGNED_OUT))
      later(AGAIN_MS)
    })
  }
  open()
  window.addEventListener('online', open)
  return {
    again: open,
    end: () => {
      window.removeEventListener('online', open)
      window.clearTimeout(timer)
      source?.close()
    },
  }
}
