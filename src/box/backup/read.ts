import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { extract, type Header } from 'tar-stream'
import { GatehouseError, messageOf } from '../../core/index.ts'
import { isGood } from '../../store/index.ts'
import {
  DATABASE,
  END,
  type End,
  HEAD,
  type Head,
  isMedia,
  isPlain,
  isPrivate,
  MOST_BYTES,
  SCHEMA,
} from './format.ts'
import { isSealed, type Key, unseal } from './seal.ts'

/** Of the two that say what the backup is. */
const MOST_JSON = 65_536

export interface Unpacked {
  head: Head
  end: End
  /** Names of the members, as they lie in the folder. */
  names: string[]
}

/**
 * Unpacks a backup into an empty folder and looks at every byte of it: known names only, pictures against their hashes,
 * the database as a whole, nothing cut off. `key`: asked for only where it is encrypted. Throws `bad_backup`.
 */
export async function unpack(file: string, folder: string, key: () => Promise<Key>): Promise<Unpacked> {
  const names: string[] = []
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const archive = (await opened(file, key)) as AsyncIterable<Member>
    let head: Head | null = null
    let end: End | null = null
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header
      if (type !== 'file' || end) throw bad(`it holds “${name.slice(0, 100)}”, which does not belong there`)
      if (name === HEAD) head = headOf(JSON.parse(await text(entry, size)))
      else if (!head) throw bad('it does not begin like one')
      else if (name === END) end = JSON.parse(await text(entry, size)) as End
      else if (!names.includes(name)) {
        await put(entry, name, size, folder, head.secrets)
        names.push(name)
      } else throw bad(`it holds ${name} twice`)
    }
    if (!head || !end || end.members !== names.length + 1) throw bad('its end is missing')
    if (!names.includes(DATABASE) || !isGood(join(folder, DATABASE)))
      throw bad('its database is damaged, or of a newer Gatehouse')
    return { head, end, names }
  } catch (error) {
    if (error instanceof GatehouseError) throw error
    const code = (error as { code?: string }).code
    if (code === 'ENOSPC')
      throw new GatehouseError(
        'disk_full',
        `There is no room to restore: make room on the disk of ${folder}.`,
        { status: 507 },
      )
    if (code === 'ENOENT') throw new GatehouseError('bad_backup', `${file}: there is no such file`)
    throw bad(messageOf(error))
  }
}

/** One file of the archive: what it says of itself, and its bytes. */
type Member = AsyncIterable<Uint8Array> & { header: Pick<Header, 'name' | 'type' | 'size'> }

async function opened(file: string, key: () => Promise<Key>) {
  const handle = await open(file)
  const start = new Uint8Array(32)
  await handle.read(start, 0, 32, 0).finally(() => handle.close())
  const bytes = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>
  const plain = isSealed(start) ? await unseal(bytes, await key()) : bytes
  const archive = extract()
  const source = Readable.from(plain as unknown as AsyncIterable<Uint8Array>, { objectMode: false })
  source.on('error', error => archive.destroy(error))
  source.pipe(archive)
  return archive
}

async function put(
  entry: AsyncIterable<Uint8Array>,
  name: string,
  size: number,
  folder: string,
  secrets: boolean,
): Promise<void> {
  const small = isPlain(name) || (secrets && isPrivate(name))
  if (!(small ? size <= MOST_BYTES : isMedia(name) || name === DATABASE))
    throw bad(`it holds “${name.slice(0, 100)}”, which does not belong there`)
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600)
  const hash = new Bun.CryptoHasher('sha256')
  try {
    for await (const chunk of entry) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (isMedia(name) && name !== `media/${hash.digest('hex')}`) throw bad(`${name} is damaged`)
}

async function text(entry: AsyncIterable<Uint8Array>, size: number): Promise<string> {
  if (size > MOST_JSON) throw bad('it does not begin like one')
  const chunks: Uint8Array[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function headOf(said: Partial<Head> | null): Head {
  const { schema, version, box, at, secrets } = said ?? {}
  const known = schema === SCHEMA && typeof at === 'string' && Number.isFinite(Date.parse(at))
  if (!known) throw bad('it is of another kind, or of a newer Gatehouse')
  return { schema, version: String(version), box: String(box), at, secrets: secrets === true }
}

function bad(why: string): GatehouseError {
  return new GatehouseError('bad_backup', `This is no whole backup of a Gatehouse: ${why}.`)
}
