import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { GatehouseError, type Log, noLog, systemClock } from '../core/index.ts'
import { Store } from '../store/index.ts'
import { accessDesk, SOCKET } from '../web/index.ts'
import { WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

/** Who the host of a request by the socket is does not matter. */
const HOST = 'http://gatehouse'

/** The box of a data folder: the one that is up, else what is stored of it. */
export interface BoxDesk {
  /** Throws `GatehouseError` with what the box said. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): void
}

const atSocket = (dataDir: string, request: Request): Promise<Response> =>
  fetch(request, { unix: join(dataDir, SOCKET) })

/** Whether the box of that folder is up and answers its commands. */
export async function isUp(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, SOCKET))) return false
  return atSocket(dataDir, new Request(`${HOST}/health`)).then(
    response => response.ok,
    () => false,
  )
}

/**
 * Opens it. The data folder is held while the box is stopped, so that it does not start in the middle. `make`: there
 * need be nothing yet. Throws `no_box`, `store_locked`.
 */
export async function openDesk(dataDir: string, make: boolean, log: Log = noLog): Promise<BoxDesk> {
  if (await isUp(dataDir)) {
    const send = (request: Request) => atSocket(dataDir, request)
    return { call: (...args) => ask(send, ...args), close: () => undefined }
  }
  if (!make && !existsSync(join(dataDir, 'gatehouse.db')))
    throw new GatehouseError('no_box', `There is no box in ${dataDir}: name its folder with --data`)
  becomeOwner(dataDir)
  const store = new Store({ dir: dataDir, clock: systemClock, log })
  store.start()
  const desk = accessDesk(store, systemClock, log)
  return { call: (...args) => ask(desk, ...args), close: () => store.stop() }
}

/** Which box is meant. */
export interface Meant {
  port: string | undefined
  data: string | undefined
}

/**
 * Asks the box that is up: by its port where that is named (with the token in GATEHOUSE_TOKEN, if there is one), else by
 * the socket of its data folder. Throws `not_up`. `how`: what else may be done.
 */
export async function askBox(
  path: string,
  { method = 'POST', body, type }: { method?: string; body?: string; type: string },
  { port, data }: Meant,
  how: string,
): Promise<Response> {
  const request = { method, headers: { 'content-type': type }, ...(body !== undefined && { body }) }
  const dataDir = dataFolder(data)
  if (port === undefined && (await isUp(dataDir))) return atSocket(dataDir, new Request(HOST + path, request))
  const number = portOf(port)
  const { GATEHOUSE_TOKEN: token } = process.env
  const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) }
  try {
    return await fetch(`http://127.0.0.1:${number}${path}`, { ...request, headers })
  } catch {
    throw new GatehouseError('not_up', `no Gatehouse answers on port ${number}: ${how}`)
  }
}

function portOf(said = '8088'): number {
  const port = Number(said)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new WrongUse('--port is a number from 1 to 65535')
  return port
}

/** What root writes there the box's own user could not open any more. */
function becomeOwner(dataDir: string): void {
  const folder = statSync(dataDir, { throwIfNoEntry: false })
  if (!folder || folder.uid === 0 || process.getuid?.() !== 0) return
  process.setgid?.(folder.gid)
  process.setuid?.(folder.uid)
}

async function ask<T>(
  send: (request: Request) => Promise<Response>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json' }
  const response = await send(new Request(HOST + path, { method, headers, ...json }))
  const answer =
    response.status === 204 ? {} : ((await response.json()) as { code?: string; detail?: string })
  if (response.ok) return answer as T
  throw new GatehouseError(answer.code ?? 'failed', answer.detail ?? `the box answered ${response.status}`)
}
