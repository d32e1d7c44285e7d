import { createHash } from 'node:crypto'
import { jpeg, serve } from '../helpers.ts'

export const PASSWORD = 'hunter2 & <more>'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/**
 * A camera that speaks the messages of ONVIF's core, media and PTZ specifications over HTTP, with WS-UsernameToken and a
 * clock of its own; its pictures want a digest. No make of camera runs on a test machine: this one keeps to the text.
 */
export function onvifCamera(
  options: { aheadMs?: number; answers?: (operation: string) => Response | undefined } = {},
) {
  const { aheadMs = 0, answers } = options
  const asked: string[] = []
  const turned: string[] = []
  const envelope = (body: string) =>
    new Response(
      `<?xml version="1.0"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" xmlns:trt="t" xmlns:tt="x"><env:Body>${body}</env:Body></env:Envelope>`,
      { headers: { 'content-type': 'application/soap+xml' } },
    )
  const fault = (code: string, reason: string) =>
    new Response(
      `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><e:Fault><e:Code><e:Value>e:Sender</e:Value><e:Subcode><e:Value>ter:${code}</e:Value></e:Subcode></e:Code><e:Reason><e:Text xml:lang="en">${reason}</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>`,
      { status: 400 },
    )
  const isKnown = (xml: string) => {
    const part = (name: string) => new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`).exec(xml)?.[1] ?? ''
    const created = part('Created')
    const digest = createHash('sha1')
      .update(Buffer.from(part('Nonce'), 'base64'))
      .update(created)
      .update(PASSWORD)
    const age = Math.abs(Date.now() + aheadMs - Date.parse(created))
    return part('Username') === 'admin' && part('Password') === digest.digest('base64') && age < 10_000
  }
  const port = serve(async request => {
    const url = new URL(request.url)
    if (url.pathname === '/snap.jpg') {
      const header = request.headers.get('authorization') ?? ''
      const response = md5(`${md5(`admin:cam:${PASSWORD}`)}:n1:${md5(`GET:${url.pathname}${url.search}`)}`)
      asked.push('picture')
      return header.includes(`response="${response}"`)
        ? new Response(jpeg())
        : new Response('', { status: 401, headers: { 'www-authenticate': 'Digest realm="cam", nonce="n1"' } })
    }
    const xml = await request.text()
    const operation = /<s:Body><(\w+)/.exec(xml)?.[1] ?? ''
    asked.push(operation)
    const instead = answers?.(operation)
    if (instead) return instead
    const now = new Date(Date.now() + aheadMs)
    if (operation === 'GetSystemDateAndTime')
      return envelope(
        `<r><UTCDateTime><tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute><tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time><tt:Date><tt:Year>${now.getUTCFullYear()}</tt:Year><tt:Month>${now.getUTCMonth() + 1}</tt:Month><tt:Day>${now.getUTCDate()}</tt:Day></tt:Date></UTCDateTime></r>`,
      )
    if (!isKnown(xml)) return fault('NotAuthorized', 'Sender not authorized')
    switch (`${url.pathname} ${operation}`) {
      // It thinks that it has another address, as cameras behind one of a recorder do.
      case '/onvif/device_service GetCapabilities':
        return envelope(
          '<r><Capabilities><Media><XAddr>http://10.9.9.9/onvif/media?x=1</XAddr></Media><PTZ><XAddr>http://10.9.9.9/onvif/ptz</XAddr></PTZ></Capabilities></r>',
        )
      case '/onvif/media GetProfiles':
        return envelope(
          '<r><trt:Profiles token="audio"/><trt:Profiles token="main"><tt:VideoEncoderConfiguration/></trt:Profiles><trt:Profiles token="dome"><tt:VideoEncoderConfiguration/><tt:PTZConfiguration/></trt:Profiles></r>',
        )
      case '/onvif/media GetSnapshotUri':
        return xml.includes('<ProfileToken>main<')
          ? envelope('<r><MediaUri><Uri>http://10.9.9.9/snap.jpg?profile=main&amp;q=1</Uri></MediaUri></r>')
          : fault('NoProfile', 'no such profile')
      case '/onvif/media GetStreamUri':
        return envelope('<r><MediaUri><Uri>rtsp://10.9.9.9:8554/main?x=1</Uri></MediaUri></r>')
      case '/onvif/ptz GetPresets':
        return envelope(
          '<r><Preset token="1"><tt:Name>Home</tt:Name></Preset><Preset token="2&lt;"><tt:Name>Côte &amp; Door</tt:Name></Preset><Preset token="3"/></r>',
        )
      case '/onvif/ptz GotoPreset':
        turned.push(/<PresetToken>([^<]*)</.exec(xml)?.[1] ?? '')
        return envelope('<r/>')
      default:
        return fault('ActionNotSupported', `<b>not</b> here ${'x'.repeat(500)}`)
    }
  })
  return { port, asked, turned }
}
