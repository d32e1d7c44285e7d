/** Folders of models that see for the tests, and a child to hold them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { noLog, type Picture } from '../../../src/core/index.ts'
import { Supervisor, type SupervisorOptions } from '../../../src/inference/index.ts'
import { type TinyOptions, writeTiny } from './tiny.ts'

export const childCommand = [
  process.execPath,
  resolve(import.meta.dirname, '../../../src/main.ts'),
  'inference',
]

export class Folders {
  readonly dir = mkdtempSync(join(tmpdir(), 'gatehouse-answer-'))
  readonly #supervisors: Supervisor[] = []

  /** Writes a model and gives what the child needs to know of it. */
  write(name: string, options: TinyOptions = {}): { dir: string; name: string } {
    writeTiny(join(this.dir, name), options)
    return { dir: this.dir, name }
  }

  path(...parts: string[]): string {
    return join(this.dir, ...parts)
  }

  supervise(options: Partial<SupervisorOptions> = {}): Supervisor {
    const supervisor = new Supervisor({ command: childCommand, modelsDir: '/', log: noLog, ...options })
    this.#supervisors.push(supervisor)
    return supervisor
  }

  async close(): Promise<void> {
    for (const supervisor of this.#supervisors) await supervisor.stop()
    rmSync(this.dir, { recursive: true })
  }
}

/** A picture of one colour, as a camera sends it. */
export async function plainPicture(level: 'bright' | 'dark', takenAt = 0): Promise<Picture> {
  const grey = level === 'bright' ? 250 : 5
  const background = { r: grey, g: grey, b: grey }
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { bytes: new Uint8Array(bytes), takenAt, source: level }
}
