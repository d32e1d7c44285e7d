import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FolderCamera } from '../../../src/connect/cameras/folder.ts'
import { noLog, type Picture, systemClock } from '../../../src/core/index.ts'
import { eventually, jpeg, temporaryFolder } from '../helpers.ts'

async function watched(prepare: (folder: string) => void = () => undefined) {
  const folder = join(temporaryFolder(), 'yard')
  mkdirSync(folder)
  prepare(folder)
  const heard: { file: string; picture: Picture }[] = []
  const camera = new FolderCamera({
    id: 'yard',
    folder,
    makes: true,
    root: null,
    clock: systemClock,
    log: noLog,
    onPicture: (picture, file) => heard.push({ file, picture }),
  })
  await camera.start()
  onTestFinished(() => camera.stop())
  return { folder, camera, heard, names: () => heard.map(({ file }) => file) }
}

const quiet = () => Bun.sleep(200)

test('what was there before is a picture and no event', async () => {
  const { camera, heard } = await watched(folder => {
    writeFileSync(join(folder, 'old.jpg'), jpeg(1))
    writeFileSync(join(folder, 'new.png'), jpeg(2))
    utimesSync(join(folder, 'old.jpg'), 1000, 1000)
  })
  expect((await camera.snapshot()).bytes).toEqual(jpeg(2))
  await quiet()
  expect(heard).toEqual([])
})

test('a picture is as old as its file; a copy that keeps its old date arrives now', async () => {
  const { folder, camera, heard } = await watched(folder => {
    writeFileSync(join(folder, 'a.jpg'), jpeg(1))
    utimesSync(join(folder, 'a.jpg'), 1_700_000_000, 1_700_000_000)
  })
  expect((await camera.snapshot()).takenAt).toBe(1_700_000_000_000)
  const before = Date.now()
  cpSync(join(folder, 'a.jpg'), join(folder, 'b.jpg'), { preserveTimestamps: true })
  await eventually(() => heard.length > 0)
  expect(heard[0]?.picture.takenAt).toBeGreaterThanOrEqual(before)
  expect(await camera.snapshot()).toEqual(heard[0]?.picture)
  utimesSync(join(folder, 'b.jpg'), 1_600_000_000, 1_600_000_000)
  await quiet()
  expect((await camera.snapshot()).takenAt).toBe(1_700_000_000_000)
  expect(heard).toHaveLength(1)
})

test('a date in the future is not believed', async () => {
  const { camera } = await watched(folder => {
    writeFileSync(join(folder, 'a.jpg'), jpeg())
    utimesSync(join(folder, 'a.jpg'), 4_000_000_000, 4_000_000_000)
  })
  expect((await camera.snapshot()).takenAt).toBeLessThanOrEqual(Date.now())
})

test('a file that is being written is not a picture before it is whole', async () => {
  const { folder, camera, heard } = await watched(folder => writeFileSync(join(folder, 'old.jpg'), jpeg(1)))
  const bytes = jpeg(2)
  writeFileSync(join(folder, 'slow.jpg'), bytes.subarray(0, 100))
  await quiet()
  expect((await camera.snapshot()).bytes).toEqual(jpeg(1))
  appendFileSync(join(folder, 'slow.jpg'), bytes.subarray(100, 150))
  await quiet()
  expect(heard).toEqual([])
  appendFileSync(join(folder, 'slow.jpg'), bytes.subarray(150))
  await eventually(() => heard.length > 0)
  expect(heard[0]?.picture.bytes).toEqual(bytes)
  expect((await camera.snapshot()).bytes).toEqual(bytes)
})

test('a picture without a proper end is taken once it stands still', async () => {
  const { folder, heard } = await watched()
  const odd = new Uint8Array([...jpeg(), 1, 2, 3])
  const started = Date.now()
  writeFileSync(join(folder, 'odd.jpg'), odd)
  await eventually(() => heard.length > 0)
  expect(Date.now() - started).toBeGreaterThan(1900)
  expect(heard[0]?.picture.bytes).toEqual(odd)
})

test('moved in, written over, replaced: each once', async () => {
  const { folder, heard, names } = await watched()
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'a.jpg'), jpeg(1))
  renameSync(join(outside, 'a.jpg'), join(folder, 'latest.jpg'))
  await eventually(() => heard.length === 1)
  await Bun.sleep(20)
  writeFileSync(join(folder, 'latest.jpg'), jpeg(2))
  await eventually(() => heard.length === 2)
  writeFileSync(join(outside, 'b.jpg'), jpeg(3))
  renameSync(join(outside, 'b.jpg'), join(folder, 'latest.jpg'))
  await eventually(() => heard.length === 3)
  await quiet()
  expect(names()).toEqual(['latest.jpg', 'latest.jpg', 'latest.jpg'])
  expect(heard.map(({ picture }) => picture.bytes)).toEqual([jpeg(1), jpeg(2), jpeg(3)])
})

test('links, pipes, folders, hidden files, other types, giants and rubbish are no pictures', async () => {
  const { folder, camera, heard } = await watched()
  const outside = join(temporaryFolder(), 'secret.jpg')
  writeFileSync(outside, jpeg())
  symlinkSync(outside, join(folder, 'link.jpg'))
  expect(Bun.spawnSync(['mkfifo', join(folder, 'pipe.jpg')]).success).toBe(true)
  mkdirSync(join(folder, 'folder.jpg'))
  writeFileSync(join(folder, '.hidden.jpg'), jpeg())
  writeFileSync(join(folder, 'part.jpg.part'), jpeg())
  writeFileSync(join(folder, 'text.jpg'), 'no picture at all, but long enough to be one')
  writeFileSync(join(folder, 'empty.jpg'), '')
  writeFileSync(join(folder, 'giant.jpg'), jpeg())
  truncateSync(join(folder, 'giant.jpg'), 20_000_001)
  await Bun.sleep(2600)
  expect(heard).toEqual([])
  await expect(camera.snapshot()).rejects.toMatchObject({ code: 'camera_offline' })
  writeFileSync(join(folder, 'good.jpg'), jpeg())
  await eventually(() => heard.length === 1)
})

test('a flood becomes a bounded number of events, the newest, and is counted', async () => {
  const { folder, camera, heard, names } = await watched()
  const staging = join(folder, '..', 'staging')
  mkdirSync(staging)
  for (let i = 0; i < 100; i++) writeFileSync(join(staging, `${i}.jpg`), jpeg(i))
  rmSync(folder, { recursive: true })
  renameSync(staging, folder)
  await eventually(() => heard.length > 0, 20_000)
  await quiet()
  expect(heard.length + camera.shed).toBe(100)
  expect(heard.length).toBe(32)
  expect(names()).toContain('99.jpg')
})

test('a folder that was made anew is watched again', async () => {
  const { folder, camera, heard } = await watched()
  rmSync(folder, { recursive: true })
  await expect(camera.snapshot()).rejects.toMatchObject({ code: 'camera_offline' })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.jpg'), jpeg(1))
  await eventually(() => heard.length === 1, 20_000)
  writeFileSync(join(folder, 'b.jpg'), jpeg(2))
  await eventually(() => heard.length === 2, 4000)
})
