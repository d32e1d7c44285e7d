/**
 * Whether the kernel lets the engine's packets out: a box of 1 GB with two cables more, one of a private network and one
 * whose addresses are the internet's. Somebody answers on both, and each packet is written down outside of the box.
 */
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onHost, until } from './machine.ts'
import { Pc } from './qemu.ts'

type Prove = (what: string, prove: () => Promise<string | undefined>) => Promise<void>

const NEAR = '192.168.77.9'
const FAR = '203.0.113.9'
const PORT = 8099
const SITE = '/var/lib/private/gatehouse/site.yaml'
const DROP_IN = '/etc/systemd/system/gatehouse.service.d/unfiltered.conf'

/** A program that reads one HTTP request and answers it. */
const ANSWERS = `#!/bin/sh
size=0
while IFS= read -r line; do
	line=$(printf '%s' "$line" | tr -d '\\r')
	case $line in [Cc]ontent-[Ll]ength:*) size=\${line#*: } ;; '') break ;; esac
done
if [ "$size" -gt 0 ]; then head -c "$size" >/dev/null; fi
printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n'
`

/** Claims a new box of 1 GB, says what it weighs, and looks at what leaves it. */
export async function provePackets(image: string, folder: string, port: number, step: Prove): Promise<void> {
  await mkdir(folder, { recursive: true })
  const key = join(folder, 'ssh')
  await onHost('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key)
  const program = join(folder, 'answers.sh')
  await writeFile(program, ANSWERS, { mode: 0o755 })
  const cable = (neighbour: string, name: string) => ({
    ...{ net: neighbour.replace(/\.\d+$/, ''), neighbour, port: PORT, program },
    recorded: join(folder, `${name}.pcap`),
  })
  const cables = [cable(NEAR, 'near'), cable(FAR, 'far')] as const
  const pc = new Pc(folder, port, { memory: 1024, ssh: port + 1, cables })
  const inBox = (line: string) => pc.run(key, line)
  const left = (to: string) => packetsTo(to, cables[to === NEAR ? 0 : 1].recorded)
  const test = async (name: string) => {
    const answer = await pc.ask(`/api/v1/site/destinations/${name}/test`, { body: {} })
    if (!answer.ok) throw new Error(`the test of ${name}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { outcome: string; message: string }
  }
  try {
    await pc.flash(image, '8G')
    await writeFile(join(folder, 'laid'), `ssh_key: ${readFileSync(`${key}.pub`, 'utf8')}`)
    await pc.lay(join(folder, 'laid'), 'gatehouse-first-boot.yaml')
    await step('a box of 1 GB starts and decides', async () => {
      pc.switchOn()
      const [, code = ''] = await pc.shows(/claim code ([A-Z0-9]{4}(?:-[A-Z0-9]{4})+)/)
      await pc.shows(/just decided/)
      const weight = await weightOf(inBox)
      const body = { code, name: 'installer', password: 'a password of four words' }
      const claimed = await pc.ask('/api/v1/session/claim', { body })
      demand(claimed.status === 201, `the claim was answered with ${claimed.status}`)
      return weight
    })
    await step('its engine reaches a neighbour, and not one packet of it goes to the internet', async () => {
      demand((await inBox('stat -fc %T /sys/fs/cgroup')) === 'cgroup2fs', 'the box has old control groups')
      const entry = (name: string, address: string) =>
        `  ${name}: { url: "http://${address}:${PORT}/", class: tell }`
      await inBox(`sed -i 's|^destinations:$|&\\n${entry('near', NEAR)}\\n${entry('far', FAR)}|' ${SITE}`)
      await until(
        'the site is taken over',
        async () =>
          (await inBox(
            `journalctl --boot --unit gatehouse --output cat | grep -c 'site file was read anew' || true`,
          )) !== '0',
      )
      const near = await test('near')
      demand(near.outcome === 'works', `the neighbour: ${near.message}`)
      const toNear = left(NEAR)
      demand(toNear > 0, 'the record of the neighbour is empty')
      const far = await test('far')
      demand(far.outcome === 'failed', `the internet was reached: ${far.message}`)
      demand(left(FAR) === 0, `${left(FAR)} packets went to the internet`)
      // Outside of the unit, the same address can be reached.
      await inBox(`bash -c 'exec 3<>/dev/tcp/${FAR}/${PORT}'`)
      demand(left(FAR) > 0, 'the record of the internet is empty whatever is sent')
      return `${toNear} packets to ${NEAR}, none to ${FAR}; the test says: ${far.message}`
    })
    await step('without the filter they do go there, so it is the filter that holds them', async () => {
      await inBox(
        `mkdir -p ${DROP_IN.replace(/\/[^/]*$/, '')}; printf '[Service]\\nIPAddressDeny=\\nIPAddressAllow=\\n' >${DROP_IN}`,
      )
      await inBox('systemctl daemon-reload; systemctl restart gatehouse')
      const before = left(FAR)
      const far = await test('far')
      demand(far.outcome === 'works', `nobody holds it, and yet: ${far.message}`)
      demand(left(FAR) > before, 'it was reached, and no packet is on record')
      return `${left(FAR) - before} packets to ${FAR}`
    })
    await step('with the filter again, they do not', async () => {
      await inBox(`rm ${DROP_IN}; systemctl daemon-reload; systemctl restart gatehouse`)
      const before = left(FAR)
      const far = await test('far')
      demand(far.outcome === 'failed' && left(FAR) === before, `the internet was reached: ${far.message}`)
      return `ready ${await secondsToReady(inBox)} s after the start of the service`
    })
  } catch (error) {
    console.error(pc.said().slice(-4000))
    throw error
  } finally {
    await pc.pullPlug()
  }
}

async function secondsToReady(inBox: (line: string) => Promise<string>): Promise<string> {
  const names = ['ExecMainStartTimestampMonotonic', 'ActiveEnterTimestampMonotonic']
  const values = await Promise.all(
    names.map(async name => Number(await inBox(`systemctl show --value --property ${name} gatehouse`))),
  )
  const [started = Number.NaN, ready = Number.NaN] = values
  demand(ready > started, `systemd says it started at ${started} and was ready at ${ready}`)
  return ((ready - started) / 1e6).toFixed(1)
}

/** How long it took to be ready and to the first Look, and what every process of the box holds then. */
async function weightOf(inBox: (line: string) => Promise<string>): Promise<string> {
  // A process that ends meanwhile is passed over.
  const shares = await inBox("grep -H '^Pss:' /proc/[0-9]*/smaps_rollup 2>/dev/null || true")
  const names = await inBox("grep -H '' /proc/[0-9]*/comm 2>/dev/null || true")
  const memory = await inBox("awk '/^Mem(Total|Available):/ { print $2 }' /proc/meminfo")
  const nameOf = new Map(rows(names, /^\/proc\/(\d+)\/comm:(.*)$/))
  const held = rows(shares, /^\/proc\/(\d+)\/smaps_rollup:Pss:\s*(\d+)/)
    .map(([pid, kb]) => ({ name: nameOf.get(pid) ?? '?', mb: Number(kb) / 1024 }))
    .toSorted((one, other) => other.mb - one.mb)
  demand(held.length > 5, `only these processes say what they hold: ${shares}`)
  const all = held.reduce((sum, { mb }) => sum + mb, 0)
  const largest = held.slice(0, 8).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`)
  const [total = 0, free = 0] = memory.split('\n').map(kb => Number(kb) / 1024)
  const started = Number(
    await inBox('systemctl show --value --property ExecMainStartTimestampMonotonic gatehouse'),
  )
  const line = await inBox(
    "journalctl --boot --unit gatehouse --output short-monotonic --no-pager | grep -m 1 'just decided'",
  )
  const looked = Number(/^\[ *([\d.]+)\]/.exec(line)?.[1])
  demand(looked > 0, `the journal does not say when it decided: ${line}`)
  return [
    `ready ${await secondsToReady(inBox)} s after the start of the service`,
    `its first decision after ${(looked - started / 1e6).toFixed(1)} s`,
    `then all processes hold ${all.toFixed(0)} MB (${largest.join(', ')}), ${free.toFixed(0)} of ${total.toFixed(0)} MB are free`,
  ].join('; ')
}

/** The two things that a pattern finds in each line. */
const rows = (text: string, pattern: RegExp): [string, string][] =>
  text.split('\n').flatMap(line => {
    const [, one, other] = pattern.exec(line) ?? []
    return one !== undefined && other !== undefined ? [[one, other] as [string, string]] : []
  })

/** How many packets of IPv4 to an address a record holds, as qemu writes it while the box runs. */
function packetsTo(address: string, file: string): number {
  const bytes = readFileSync(file)
  const wanted = Buffer.from(address.split('.').map(Number))
  let found = 0
  for (let at = 24; at + 16 <= bytes.length; ) {
    const frame = bytes.subarray(at + 16, at + 16 + bytes.readUInt32LE(at + 8))
    at += 16 + frame.length
    if (frame.length >= 34 && frame.readUInt16BE(12) === 0x0800 && frame.subarray(30, 34).equals(wanted))
      found++
  }
  return found
}

function demand(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}
