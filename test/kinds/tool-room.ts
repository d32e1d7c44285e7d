import { GatehouseError, type Picture } from '../../src/core/index.ts'
import type { Records, ToolRoom } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import type { Seen, Vision } from '../../src/vision/index.ts'

export const NOW = Date.UTC(2026, 2, 10, 12)

export const SITE = `
facts: |
  The baker comes at six with B-AB 123.
  Nobody has business at the fence.
cameras:
  cam-1: { name: Main gate, roles: [gate] }
  cam-2: { name: Yard north, roles: [yard] }
  cam-3: { name: Yard south, roles: [yard] }
people: { ann: { roles: [guard] }, bo: { roles: [owner] } }
lists: { residents: [B-AB 123, m xy 9], banned: [X-YZ 9] }
`

export const jpeg = (takenAt: number | null = NOW - 2_000, source = 'camera cam-1'): Picture => ({
  bytes: new Uint8Array([0xff, 0xd8, 0xff, 1]),
  takenAt,
  source,
})

export const seen = (patch: Partial<Seen> = {}): Seen => ({
  width: 100,
  height: 100,
  detections: [
    { label: 'truck', score: 0.9, box: [10, 10, 60, 60] },
    { label: 'person', score: 0.8, box: [70, 10, 80, 60] },
  ],
  below: {},
  lines: [{ text: 'BAKER', confidence: 0.9, quad: [10, 10, 50, 10, 50, 20, 10, 20] }],
  cut: false,
  ms: { decode: 1, detect: 1, read: 1 },
  models: { detector: 'd', reader: 'r' },
  ...patch,
})

const vision: Vision = {
  see: async () => seen(),
  shrink: async picture => ({ ...picture, source: 'small' }),
}

export const noRecords: Records = { events: () => [], decisions: () => [], pictures: async () => [] }

/** What a tool finds around it, with what a test changes. */
export function roomOf(patch: Partial<ToolRoom> & { siteFile?: string } = {}): ToolRoom {
  const { siteFile = SITE, ...rest } = patch
  let refs = 0
  return {
    site: Site.load(siteFile, '/x/site.yaml'),
    now: () => NOW,
    cameras: {
      snapshot: async id => {
        if (id === 'cam-3') throw new GatehouseError('camera_offline', 'camera cam-3 gives no picture')
        return jpeg(NOW - 2_000, `camera ${id}`)
      },
    },
    health: null,
    faces: null,
    vision,
    records: noRecords,
    archive: null,
    cameraId: 'cam-1',
    eventAt: NOW - 5_000,
    eventPictures: async () => [],
    keep: async () => ++refs,
    sees: false,
    ...rest,
  }
}
