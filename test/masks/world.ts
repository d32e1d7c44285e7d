/** A whole box, and cameras that show nothing but white: whatever of it is dark was painted over. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { type IncomingEvent, mintId, noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { temporaryFolder } from '../connect/helpers.ts'

export const LEFT_HALF = '{ window: [[0, 0], [0.5, 0], [0.5, 1], [0, 1]] }'

export const white = async (format: 'jpeg' | 'png' | 'webp' = 'jpeg') =>
  new Uint8Array(
    await sharp({ create: { width: 160, height: 120, channels: 3, background: 'white' } })
      .toFormat(format)
      .toBuffer(),
  )

/** How bright a picture is on the left and on the right, 0 to 255. */
export async function halves(picture: Uint8Array): Promise<{ left: number; right: number }> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const most = (from: number, to: number) => {
    let brightest = 0
    for (let y = 0; y < height; y++)
      for (let x = from; x < to; x++) brightest = Math.max(brightest, data[y * width + x] ?? 0)
    return brightest
  }
  // What lies at the border is a little of both in a JPEG.
  return {
    left: most(0, Math.floor(width * 0.45)),
    right: data[Math.floor(height / 2) * width + width - 5] ?? 0,
  }
}

export interface World {
  box: Appliance
  url: string
  dataDir: string
  /** Saves a workflow, On. */
  on(name: string, when: string, then: string): Promise<{ id: number; hook: string }>
  /** The pictures of a run once it has ended, and what it did. */
  kept(run: number): Promise<{ pictures: Uint8Array[]; steps: unknown[] }>
  press(id: number, form?: FormData): Promise<number>
  event(change: Partial<IncomingEvent>): Promise<number>
  /** A picture arrives in the folder of the camera `folder`. */
  arrive(name: string): Promise<void>
}

export async function world(site: string): Promise<World> {
  const dataDir = temporaryFolder()
  const folder = join(dataDir, 'arrivals')
  mkdirSync(folder)
  mkdirSync(join(dataDir, 'secrets'))
  const box = new Appliance({
    ...{ dataDir, log: noLog, port: 0, ungated: true },
    resources: resources(),
    site: Site.load(site, join(dataDir, 'site.yaml')),
  })
  onTestFinished(() => box.stop())
  const url = (await box.start()).url ?? ''
  const post = async (path: string, body?: FormData) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', ...(body && { body }) })
    const { run, ...rest } = (await answer.json()) as { run: number | null }
    if (!run) throw new Error(`no run: ${answer.status} ${JSON.stringify(rest)}`)
    return run
  }
  return {
    box,
    url: url.replace(/\/$/, ''),
    dataDir,
    on: async (name, when, then) => {
      const yaml = `contract: workflow.v1\nname: ${name}\nstate: on\nlimits: { cooldown: 0s }\nwhen: ${when}\nthen:\n${then}\n`
      const saved = await box.engine.save(yaml, { by: 'test' })
      if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
      const { id } = saved.workflow
      await box.engine.setState(id, 'on', 'test', { confirmed: true })
      return { id, hook: box.engine.workflow(String(id))?.hook ?? '' }
    },
    kept: async run => {
      const { steps } = await box.engine.settled(run, 60_000)
      const media = box.store.media.ofRun(run).filter(({ type }) => type.startsWith('image/'))
      const files = media.map(({ hash }) => join(dataDir, 'media', hash.slice(0, 2), hash))
      return { steps, pictures: await Promise.all(files.map(file => Bun.file(file).bytes())) }
    },
    press: (id, form) => post(`/api/v1/workflows/${id}/press`, form),
    event: async change => {
      const event: IncomingEvent = {
        ...{
          kind: 'event',
          id: mintId('evt'),
          at: Date.now(),
          cameraId: null,
          schema: 'plate.recognized.v1',
        },
        ...{
          source: null,
          severity: null,
          payload: { plate_text: 'B XY 1' },
          correlationId: null,
          chain: [],
        },
        ...{ by: null, workflowId: null, pictures: [] },
        ...change,
      }
      const [admission] = await box.engine.submit(event)
      if (!admission?.run) throw new Error(`no run: ${JSON.stringify(admission)}`)
      return admission.run
    },
    arrive: async name => {
      writeFileSync(join(dataDir, name), await white())
      renameSync(join(dataDir, name), join(folder, name))
    },
  }
}
