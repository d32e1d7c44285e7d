/** Where pictures of what detectors follow can be had, in the site file under `tracks:`. */
import { type Static, Type } from '@sinclair/typebox'

export const TracksSchema = Type.Object(
  { best_frame: Type.Optional(Type.String({ minLength: 1, maxLength: 500, expects: 'a text' })) },
  { additionalProperties: false, expects: '{ best_frame: <address of the detection pipeline> }' },
)

/** Where the detector serves its best picture of a thing; `report` hears what no schema sees. */
export function bestFrameOf(
  data: Static<typeof TracksSchema> | undefined,
  report: (pointer: string, code: string, message: string) => void,
): URL | null {
  const address = data?.best_frame
  if (address === undefined) return null
  const at = '/tracks/best_frame'
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    report(
      at,
      'wrong_value',
      'tracks.best_frame must be an address that begins with http, such as http://192.168.1.20:9109.',
    )
    return null
  }
  if (url.username || url.password) {
    report(
      at,
      'credentials_in_url',
      'tracks.best_frame holds credentials: the pipeline asks for none, leave them out.',
    )
    return null
  }
  if (!url.pathname.endsWith('/best_frame')) url.pathname = `${url.pathname.replace(/\/$/, '')}/best_frame`
  return url
}
