import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own, gone when the test is. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A server on loopback, closed when the test ends. Its port. */
export function serve(fetch: (request: Request) => Response | Promise<Response>): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  onTestFinished(() => server.stop(true))
  return server.port ?? 0
}

/** Resolves when `holds` does; fails after `ms`. */
export async function eventually(holds: () => boolean, ms = 10_000): Promise<void> {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) throw new Error('it did not happen in time')
    await Bun.sleep(20)
  }
}

const BASE64 =
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q=='

/** The smallest of JPEGs: one grey pixel. `mark` makes two of them differ without breaking either. */
export function jpeg(mark = 0): Uint8Array<ArrayBuffer> {
  const plain = Buffer.from(BASE64, 'base64')
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0, 0, 0, mark])
  return new Uint8Array(Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)]))
}
