import type { XmlElement } from '@rgrove/parse-xml'
import { identity } from '../../contract/index.ts'
import { type Clock, GatehouseError } from '../../core/index.ts'
import type { Login } from '../http/login.ts'
import { Soap } from './soap.ts'
import { all, escapeXml, one, textOf } from './xml.ts'

const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA = 'http://www.onvif.org/ver10/media/wsdl'
const PTZ = 'http://www.onvif.org/ver20/ptz/wsdl'
const SCHEMA = 'http://www.onvif.org/ver10/schema'
/** Where cameras have it whose owner wrote only a host. */
const SERVICE = '/onvif/device_service'
/** What a camera said of itself is believed for this long. */
const FRESH_MS = 10 * 60_000
/** A clock that is further off was never set. */
const MOST_AHEAD_MS = 10 * 365 * 24 * 3_600_000
const MOST_NAMED = 12

export interface OnvifOptions {
  /** For people, in errors: `camera gate`. */
  label: string
  url: URL
  login: Login
  clock: Clock
}

/** What a camera said of itself. */
interface Known {
  at: number
  media: URL | null
  ptz: URL | null
  /** Tokens of the profiles that are asked for pictures, and that are turned. */
  profile: string
  turned: string | null
}

type Asked = { signal: AbortSignal }

/**
 * A camera as ONVIF knows it. Whatever it says of where its services are, it is asked at the host that the site file
 * names and nowhere else. Rejects with `camera_refused`, or as an exchange does.
 */
export class OnvifDevice {
  readonly #options: OnvifOptions
  readonly #soap: Soap
  readonly #service: URL
  #known: Known | null = null

  constructor(options: OnvifOptions) {
    this.#options = options
    this.#soap = new Soap(options)
    this.#service = new URL(options.url)
    if (this.#service.pathname === '/') this.#service.pathname = SERVICE
  }

  /** Where its picture is. */
  async snapshotUri({ signal }: Asked): Promise<URL> {
    const { media, profile } = await this.#describe(signal)
    const body = `<GetSnapshotUri xmlns="${MEDIA}"><ProfileToken>${escapeXml(profile)}</ProfileToken></GetSnapshotUri>`
    const uri = textOf(await this.#ask(this.#has(media, 'pictures'), body, signal), 'MediaUri', 'Uri')
    return this.#here(uri) ?? this.#lacks('snapshot')
  }

  /** Where its stream is. */
  async streamUri({ signal }: Asked): Promise<URL> {
    const { media, profile } = await this.#describe(signal)
    const setup = `<StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream><Transport xmlns="${SCHEMA}"><Protocol>RTSP</Protocol></Transport></StreamSetup>`
    const body = `<GetStreamUri xmlns="${MEDIA}">${setup}<ProfileToken>${escapeXml(profile)}</ProfileToken></GetStreamUri>`
    const uri = textOf(await this.#ask(this.#has(media, 'streams'), body, signal), 'MediaUri', 'Uri')
    const found = uri === null ? null : URL.parse(uri)
    if (found?.protocol !== 'rtsp:') return this.#lacks('stream')
    // Cameras behind an address of their own write down the one that they think they have.
    const here = new URL(`rtsp://${this.#service.hostname}`)
    here.port = found.port
    return new URL(`${here.href.replace(/\/$/, '')}${found.pathname}${found.search}`)
  }

  /**
   * Turns the camera to a preset, by its name. Rejects with `preset_unknown`, or before it was asked to turn with
   * anything but `destination_unanswered`.
   */
  async turn(preset: string, { signal }: Asked): Promise<void> {
    const { label } = this.#options
    const { ptz, turned } = await this.#describe(signal).catch(beforehand)
    if (!ptz || turned === null) throw new GatehouseError('preset_unknown', `${label} cannot be turned.`)
    const profile = `<ProfileToken>${escapeXml(turned)}</ProfileToken>`
    const listed = await this.#ask(ptz, `<GetPresets xmlns="${PTZ}">${profile}</GetPresets>`, signal).catch(
      beforehand,
    )
    const presets = all(listed, 'Preset').map(each => ({
      token: each.attributes.token ?? '',
      name: textOf(each, 'Name') ?? '',
    }))
    const found =
      presets.find(({ name }) => name === preset) ??
      presets.find(({ name }) => name !== '' && identity(name) === identity(preset))
    if (!found) {
      const names = presets
        .map(({ name }) => name)
        .filter(Boolean)
        .slice(0, MOST_NAMED)
        .join(', ')
      throw new GatehouseError(
        'preset_unknown',
        `${label} has no preset ${preset}: it has ${names || 'none'}.`,
      )
    }
    const token = `<PresetToken>${escapeXml(found.token)}</PresetToken>`
    await this.#ask(ptz, `<GotoPreset xmlns="${PTZ}">${profile}${token}</GotoPreset>`, signal)
  }

  async #describe(signal: AbortSignal): Promise<Known> {
    const { clock } = this.#options
    if (this.#known && clock.now() - this.#known.at < FRESH_MS) return this.#known
    await this.#setClock(signal)
    const wanted = `<GetCapabilities xmlns="${DEVICE}"><Category>All</Category></GetCapabilities>`
    const able = await this.#ask(this.#service, wanted, signal)
    const media = this.#here(textOf(able, 'Capabilities', 'Media', 'XAddr'))
    const ptz = this.#here(textOf(able, 'Capabilities', 'PTZ', 'XAddr'))
    const listed = await this.#ask(this.#has(media, 'pictures'), `<GetProfiles xmlns="${MEDIA}"/>`, signal)
    const profiles = all(listed, 'Profiles').filter(each => each.attributes.token)
    const tokenOf = (profile: XmlElement | undefined) => profile?.attributes.token ?? null
    const profile = tokenOf(profiles.find(each => one(each, 'VideoEncoderConfiguration')) ?? profiles[0])
    if (profile === null) return this.#lacks('profile')
    const turned = tokenOf(profiles.find(each => one(each, 'PTZConfiguration')))
    this.#known = { at: clock.now(), media, ptz, profile, turned }
    return this.#known
  }

  /** Its clock is often wrong, and what we sign bears a time. Whoever does not tell is taken to be right. */
  async #setClock(signal: AbortSignal): Promise<void> {
    const body = `<GetSystemDateAndTime xmlns="${DEVICE}"/>`
    const answer = await this.#soap.ask(this.#service, body, { signal, anonymous: true }).catch(error => {
      if (error instanceof GatehouseError && error.code === 'camera_refused') return null
      throw error
    })
    const utc = one(answer, 'UTCDateTime')
    const [year, month, day] = ['Year', 'Month', 'Day'].map(part => Number(textOf(utc, 'Date', part)))
    const [hour, minute, second] = ['Hour', 'Minute', 'Second'].map(part => Number(textOf(utc, 'Time', part)))
    const at = utc ? Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second) : Number.NaN
    const ahead = at - this.#options.clock.now()
    this.#soap.aheadMs = Math.abs(ahead) <= MOST_AHEAD_MS ? ahead : 0
  }

  /** What it said of itself is forgotten where it refuses: it may have been set up anew. */
  async #ask(url: URL, body: string, signal: AbortSignal): Promise<XmlElement> {
    try {
      return await this.#soap.ask(url, body, { signal })
    } catch (error) {
      this.#known = null
      throw error
    }
  }

  /** An address that the camera names, at the host that the site names. */
  #here(uri: string | null): URL | null {
    const said = uri === null ? null : URL.parse(uri)
    if (!said || !/^https?:$/.test(said.protocol)) return null
    const here = new URL(this.#service)
    if (said.hostname === here.hostname) {
      here.protocol = said.protocol
      here.port = said.port
    }
    here.pathname = said.pathname
    here.search = said.search
    return here
  }

  #has(url: URL | null, what: string): URL {
    return url ?? this.#lacks(what)
  }

  #lacks(what: string): never {
    const message = `${this.#options.label} offers no ${what} by ONVIF: name another source for it.`
    throw new GatehouseError('camera_refused', message, { status: 502 })
  }
}

/** What failed before the camera was asked to turn did not turn it. */
function beforehand(error: unknown): never {
  if (!(error instanceof GatehouseError)) throw error
  throw new GatehouseError('camera_refused', error.message, { status: 502, cause: error })
}
