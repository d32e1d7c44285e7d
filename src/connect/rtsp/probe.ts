import { offline } from '../cameras/offline.ts'
import { headerOf, type Message } from './messages.ts'
import type { RtspPeer } from './peer.ts'

/** Plays a stream until the first of its media comes, and looks at none of it. Rejects with `camera_offline`. */
export async function probe(peer: RtspPeer, url: URL, signal: AbortSignal): Promise<void> {
  const came = Promise.withResolvers<void>()
  came.promise.catch(() => undefined)
  peer.onFrame = () => {
    came.resolve()
    return true
  }
  peer.onEnd = came.reject
  signal.addEventListener('abort', () => came.reject(signal.reason), { once: true })
  await peer.open()
  const base = url.href.replace(/#.*$/s, '')
  const ask = (method: string, uri: string, headers: Message['headers'] = []) =>
    peer.request({ start: `${method} ${uri} RTSP/1.0`, headers, body: new Uint8Array() })
  const described = await ask('DESCRIBE', base, [['Accept', 'application/sdp']])
  const said = headerOf(described, 'content-base') ?? headerOf(described, 'content-location') ?? base
  const whole = isUri(said) ? said : base
  const control = videoControl(Buffer.from(described.body).toString('utf8'))
  if (control === null) throw offline('its stream has no video')
  const set = await ask('SETUP', controlUri(whole, control), [
    ['Transport', 'RTP/AVP/TCP;unicast;interleaved=0-1'],
  ])
  const [session = ''] = (headerOf(set, 'session') ?? '').split(';', 1)
  const named: Message['headers'] = session ? [['Session', session]] : []
  await ask('PLAY', whole, [...named, ['Range', 'npt=0.000-']])
  await came.promise
  // Said and not waited for: the line is closed behind it.
  ask('TEARDOWN', whole, named).catch(() => undefined)
}

/** What the first video of a description is called; empty: as the whole. Null: it has none. */
function videoControl(sdp: string): string | null {
  const [, ...media] = sdp.split(/^m=/m)
  const video = media.find(part => part.startsWith('video '))
  if (video === undefined) return null
  return /^a=control:(\S*)/m.exec(video)?.[1] ?? ''
}

function controlUri(base: string, control: string): string {
  if (control === '' || control === '*') return base
  if (isUri(control)) return control
  return `${base.replace(/\/$/, '')}/${control.replace(/^\//, '')}`
}

function isUri(text: string): boolean {
  return /^rtsp:\/\/\S+$/i.test(text)
}
