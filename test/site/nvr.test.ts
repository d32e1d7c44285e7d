import { describe, expect, test } from 'vitest'
import { Site, SiteError } from '../../src/site/index.ts'

const load = (text: string) => Site.load(text, '/data/site.yaml')

function problems(text: string): string {
  try {
    load(text)
  } catch (error) {
    if (error instanceof SiteError) return error.problems.map(({ message }) => message).join('\n')
    throw error
  }
  return ''
}

describe('the NVR of a site', () => {
  test('is its address and its keys by their names; whose mode counts is the NVR unless it is said', () => {
    const site = load('nvr: { url: "http://10.0.0.5:8000/", key: { secret: nvr-key } }')
    expect(site.nvr).toMatchObject({ key: { secret: 'nvr-key' }, token: null, siteMode: 'nvr' })
    expect(site.nvr?.url.href).toBe('http://10.0.0.5:8000/')
    const behind = load('nvr: { url: "https://h/nvr/api/v1/", token: { secret: t }, site_mode: box }').nvr
    expect(behind?.url.href).toBe('https://h/nvr')
    expect(behind?.siteMode).toBe('box')
    expect(load('').nvr).toBeNull()
  })

  test.each([
    ['nvr: { url: "ftp://h", key: { secret: k } }', 'nvr.url must be an address that begins with http'],
    ['nvr: { url: "http://a:hunter2@h", key: { secret: k } }', 'nvr.url holds credentials'],
    ['nvr: { url: "http://h/?key=hunter2", key: { secret: k } }', 'take away what follows'],
    ['nvr: { url: "http://h" }', 'nvr needs key'],
    ['nvr: { url: "http://h", key: hunter2 }', 'nvr.key must be { secret: <name> }'],
    ['nvr: { url: "http://h", key: { secret: k }, site_mode: both }', 'nvr.site_mode must be nvr or box'],
    ['cameras: { gate: { source: { nvr: cam1 } } }', 'cameras.gate.source.nvr needs the NVR'],
    [
      'nvr: { url: "http://h", key: { secret: k } }\ncameras: { gate: { source: { nvr: ../x } } }',
      'must be the id of a camera of the NVR',
    ],
    [
      'nvr: { url: "http://h", key: { secret: k } }\ncameras: { gate: { source: { nvr: cam1, folder: x } } }',
      'must be one of folder:, snapshot:, rtsp:, onvif: and nvr:',
    ],
  ])('%s is refused', (text, expected) => {
    expect(problems(text)).toContain(expected)
    expect(problems(text)).not.toContain('hunter2')
  })

  test('gives pictures of the cameras that name no other source', () => {
    const site = load(`
nvr: { url: "http://h", key: { secret: k } }
cameras:
  cam1: { roles: [gate] }
  yard: { source: { nvr: cam2 } }
  door: { source: { folder: door } }
`)
    expect(site.cameras.map(({ source }) => source)).toEqual([
      { kind: 'nvr', camera: 'cam1' },
      { kind: 'nvr', camera: 'cam2' },
      { kind: 'folder', path: '/data/door' },
    ])
    expect(load('cameras: { cam1: { roles: [gate] } }').camera('cam1')?.source).toBeNull()
  })
})
