import { problem } from './problem.ts'

/** One range of bytes: `bytes=0-499`, `bytes=500-`, `bytes=-500`. What asks for several is given all. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** A body that never changes, or the part of it that a request asks for: players of clips ask for parts. */
export function ranged(request: Request, body: Blob, headers: Record<string, string>): Response {
  const { size } = body
  const whole = { ...headers, 'accept-ranges': 'bytes' }
  const [, from = '', to = ''] = RANGE.exec(request.headers.get('range') ?? '') ?? []
  if (from === '' && to === '') return new Response(body, { headers: whole })
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size || start > end) {
    const refused = problem(416, 'no_such_range', `There are ${size} bytes.`)
    refused.headers.set('content-range', `bytes */${size}`)
    return refused
  }
  const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) }
  return new Response(body.slice(start, end + 1), { status: 206, headers: { ...whole, ...part } })
}
