import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askNvr, type NvrFound } from '../connect/index.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

/** This machine, and the name by which an NVR on the same network would answer. */
const USUAL = ['127.0.0.1', 'opennvr.local']
const PORT = /^\d{1,5}$/

export const nvr: Command = {
  usage: 'nvr [HOST …] [--api-port N] [--nats-port N] [--write] [--data FOLDER] [--json]',
  summary:
    'ask a machine whether an NVR and its NATS are there, and say what to write into site.yaml; --write does it',
  async run(args) {
    const { values, words } = readArgs(args, {
      'api-port': { type: 'string', default: '8000' },
      'nats-port': { type: 'string', default: '4222' },
      write: { type: 'boolean', default: false },
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const ports = { api: portOf(values['api-port']), nats: portOf(values['nats-port']) }
    const hosts = words.length ? words : USUAL
    const found = await Promise.all(hosts.map(host => askNvr(host, ports)))
    if (values.json) print(JSON.stringify(found.map(each => ({ ...each, api: each.api?.origin ?? null }))))
    const there = found.find(({ api, nats }) => api || nats)
    if (!there) {
      if (!values.json)
        print(`No NVR answers at ${hosts.join(' or ')}. Name its address: gatehouse nvr 192.168.1.10`)
      return exit.failed
    }
    const yaml = section(there, ports.nats)
    if (!values.json) for (const line of [...says(there), '', yaml.trimEnd()]) print(line)
    if (values.write) return write(join(dataFolder(values.data), 'site.yaml'), there, yaml)
    return exit.done
  },
}

function portOf(text: string): number {
  const port = Number(text)
  if (!PORT.test(text) || port < 1 || port > 65_535)
    throw new WrongUse(`“${text}” is no port: name one from 1 to 65535`)
  return port
}

function says({ host, api, nats }: NvrFound): string[] {
  const lines = [
    api ? `At ${host} is an NVR: ${api.origin}` : `No NVR answers at ${host}, but a NATS server does.`,
    nats
      ? `Its NATS server (${nats.version})${nats.needsAuth ? ' wants a token or a user: docs/nats.md' : ' lets everybody in'}.`
      : 'No NATS server answers there: events and alerts do not come from it.',
  ]
  if (api) lines.push('Write its INTERNAL_API_KEY into the file secrets/nvr-key (docs/nvr.md).')
  if (nats?.needsAuth) lines.push('Write the token of its NATS server into the file secrets/nats.')
  return lines
}

/** What belongs into `site.yaml`. */
function section({ host, api, nats }: NvrFound, port: number): string {
  const at = host.includes(':') ? `[${host}]` : host
  const scheme = nats?.needsTls ? 'tls' : 'nats'
  const auth = nats?.needsAuth ? '\n  auth: { token: { secret: nats } }' : ''
  return [
    api && `nvr:\n  url: ${JSON.stringify(api.origin)}\n  key: { secret: nvr-key }\n`,
    nats && `nats:\n  url: ${JSON.stringify(`${scheme}://${at}:${port}`)}${auth}\n`,
  ]
    .filter(Boolean)
    .join('')
}

/** Behind what is there; a file that names an NVR or NATS is left as it is. */
async function write(file: string, found: NvrFound, yaml: string): Promise<number> {
  const text = await readText(file)
  if (/^(nvr|nats):/m.test(text)) {
    print(`${file} names an NVR or a NATS server already: it was left as it is.`)
    return exit.done
  }
  await appendFile(
    file,
    `${text.endsWith('\n') || text === '' ? '' : '\n'}\n# Found at ${found.host}.\n${yaml}`,
  )
  print(`Written into ${file}.`)
  return exit.done
}
