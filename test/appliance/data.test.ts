import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folder } from '../cli/gatehouse.ts'
import { sh, text } from './image-box.ts'

let boot: string
let part: string
beforeEach(() => {
  boot = folder()
  mkdirSync(join(boot, 'gatehouse'))
  part = `${boot}.part`
  writeFileSync(part, '')
  truncateSync(part, 20_000_000)
})
afterEach(() => {
  rmSync(boot, { recursive: true })
  rmSync(part)
})

const data = (...args: string[]) => sh('data.sh', ['--part', part, '--boot', boot, ...args])
/** The identifier of the file system; a new one bears another. */
const id = () => readFileSync(part).subarray(1128, 1144).toString('hex')
const owe = () => writeFileSync(join(boot, 'gatehouse/make-data'), '')

describe('data.sh', () => {
  it('makes a file system where one is owed, and leaves it alone from then on', async () => {
    owe()
    expect((await data('--dry-run')).code).toBe(0)
    expect(id()).toMatch(/^0+$/)
    expect((await data()).code).toBe(0)
    expect(existsSync(join(boot, 'gatehouse/make-data'))).toBe(false)
    const first = id()
    expect(first).not.toMatch(/^0+$/)
    expect((await data()).code).toBe(0)
    expect(id()).toBe(first)
  })

  it('wipes it when a file says so, however an editor wrote that, and is owed it until it is done', async () => {
    owe()
    await data()
    const first = id()
    writeFileSync(join(boot, 'factory-reset.txt'), '\ufeffWipe all data\r\n')
    expect((await data()).code).toBe(0)
    expect(id()).not.toBe(first)
    expect(readdirSync(boot).toSorted()).toEqual(['gatehouse', 'gatehouse-report.txt'])
    expect(readdirSync(join(boot, 'gatehouse'))).toEqual([])
    // The plug was pulled after the file was taken and before the new one was made.
    owe()
    const second = id()
    await data()
    expect(id()).not.toBe(second)
  })

  it('never makes a new one by itself: a damaged one is said to be so', async () => {
    writeFileSync(part, Buffer.alloc(20_000_000, 7))
    const { code, err } = await data()
    expect([code, err]).toEqual([1, expect.stringContaining('restore a backup')])
    expect(readFileSync(part).every(byte => byte === 7)).toBe(true)
  })

  it('mends what a pulled plug left behind', async () => {
    owe()
    await data()
    const bytes = readFileSync(part)
    // The count of free blocks, in the superblock.
    bytes.writeUInt32LE(1, 1036)
    writeFileSync(part, bytes)
    expect((await data()).code).toBe(0)
    expect(readFileSync(part).readUInt32LE(1036)).not.toBe(1)
  })

  it('resets nothing for a file that it does not understand', async () => {
    owe()
    await data()
    const first = id()
    writeFileSync(join(boot, 'factory-reset.txt'), 'please wipe all data\n')
    expect((await data()).code).toBe(0)
    expect(id()).toBe(first)
    expect(text(join(boot, 'gatehouse-report.txt'))).toContain('not understood')
    expect(existsSync(join(boot, 'factory-reset.not-understood.txt'))).toBe(true)
  })

  it('asks for a disk that is one', async () => {
    expect((await sh('data.sh', ['--boot', boot])).code).toBe(2)
    const { code, err } = await sh('data.sh', ['--boot', boot, '--disk', '/dev/null'])
    expect([code, err]).toEqual([1, expect.stringContaining('flash the image again')])
  })
})
