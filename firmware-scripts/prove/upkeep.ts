/** What a box does by itself for whoever owns it, and whom it can reach. */
import { withDisk } from './disk.ts'
import { type Machine, until } from './machine.ts'

type Step = readonly [what: string, prove: () => Promise<string | undefined>]

const SITE = '/var/lib/private/gatehouse/site.yaml'
/** A private address and a public one of the same neighbour: what arrives there was let out. */
const NEAR = '192.168.77.1'
const FAR = '203.0.113.9'
const PORT = 8099

export function upkeepSteps(machine: Machine): Step[] {
  const done = async (line: string) => void (await machine.run(line))
  const added = async (text: string) => {
    await machine.run(`cat >>${SITE} <<'END'\n${text}END`)
  }
  const noFirewall = async () => (await machine.run('stat -fc %T /sys/fs/cgroup')) !== 'cgroup2fs'
  const status = async () => JSON.parse(await machine.run('cat /var/lib/gatehouse-update/backup.json'))

  return [
    [
      'each service may take the memory that fits this machine',
      async () => {
        const limits = await machine.run(
          'systemctl show --property=MemoryMax,OOMScoreAdjust gatehouse gatehouse-inference | tr "\\n" " "',
        )
        demand(/OOMScoreAdjust=-500/.test(limits) && /OOMScoreAdjust=500/.test(limits), limits)
        demand(!/infinity/.test(limits), limits)
        return limits.trim()
      },
    ],
    [
      'the engine reaches a neighbour, and nobody on the internet',
      async () => {
        const server = await machine.neighbour(
          ['192.168.77.2/24', '203.0.113.2/24'],
          [`${NEAR}/24`, `${FAR}/24`],
          PORT,
        )
        try {
          const entry = (name: string, address: string) =>
            `  ${name}: { url: "http://${address}:${PORT}/", class: tell }`
          const entries = `${entry('near', NEAR)}\\n${entry('far', FAR)}`
          await done(`sed -i 's|^destinations:$|&\\n${entries}|' ${SITE}`)
          const test = (name: string) =>
            machine.ask<{ outcome: string; message: string }>(
              `/api/v1/site/destinations/${name}/test`,
              'POST',
            )
          await until('the site is taken over', async () => (await test('near').catch(() => null)) !== null)
          const near = await test('near')
          demand(near.outcome === 'works', `the neighbour: ${near.message}`)
          const heard = await server.requests()
          const far = await test('far')
          if (far.outcome === 'works' && (await noFirewall()))
            return 'NOT PROVEN HERE: the kernel of this machine has control groups of version 1, which filter no packets'
          demand(far.outcome === 'failed', `the internet was reached: ${far.message}`)
          demand((await server.requests()) === heard, 'a request arrived there')
          // From the same machine, outside of the unit, the same address answers.
          demand((await server.ask(FAR)) === 200, 'nobody listens there at all')
          return far.message
        } finally {
          await server.stop()
        }
      },
    ],
    [
      'the engine finds the camera of a neighbour by calling into the network, and none elsewhere',
      async () => {
        const server = await machine.neighbour(
          ['192.168.77.2/24', '203.0.113.2/24'],
          [`${NEAR}/24`, `${FAR}/24`],
          PORT,
        )
        try {
          demand((await server.ask(NEAR)) === 200, 'nobody is there to be found')
          const { cameras } = await machine.ask<{ cameras: { url: string; name: string | null }[] }>(
            '/api/v1/site/cameras/discover',
            'POST',
            {},
          )
          const found = JSON.stringify(cameras)
          const expected = [{ url: `http://${NEAR}/onvif/device_service`, name: 'Neighbour' }]
          demand(found === JSON.stringify(expected), `it found ${found}`)
          return `${cameras[0]?.name} at ${NEAR}`
        } finally {
          await server.stop()
        }
      },
    ],
    [
      'a backup is made as the site asks for it, once a night, and becomes a box again',
      async () => {
        await done(
          'mkdir -p /srv/backups; systemctl is-active gatehouse-backup.timer gatehouse-update.timer gatehouse-update.path',
        )
        await added('backups: { to: /srv/backups, auto: "nightly at 00:00", keep: 2 }\n')
        const start = performance.now()
        await done('systemctl start gatehouse-backup.service')
        const { file, problem, bytes } = await status()
        demand(problem === null && file !== null, `it says ${problem}`)
        const took = ((performance.now() - start) / 1000).toFixed(1)
        // The same again is not due.
        await done('systemctl start gatehouse-backup.service')
        demand((await machine.run('ls /srv/backups')).split('\n').length === 1, 'it was made twice')
        await done('systemctl stop gatehouse')
        await done(`gatehouse restore ${file}`)
        await done('systemctl start gatehouse')
        const paused = await machine.ask<{ paused: boolean }>('/api/v1/system/pause')
        demand(paused.paused, 'moves are not paused after a restore')
        return `${(bytes / 1e6).toFixed(1)} MB in ${took} s`
      },
    ],
    [
      'a backup that fails is said',
      async () => {
        await done('mv /srv/backups /srv/elsewhere; ln -s /etc /srv/backups')
        const { code } = await machine.try('gatehouse backup --scheduled --now')
        demand(code === 1, 'it was made')
        demand(/leads elsewhere|is not there/.test((await status()).problem), 'it does not say why')
        const { connections } = await machine.ask<{ connections: Record<string, string> }>(
          '/api/v1/system/health',
        )
        demand(connections.Backup !== undefined, 'the box does not say it')
        await done('rm /srv/backups; mv /srv/elsewhere /srv/backups')
        return connections.Backup
      },
    ],
    [
      'a backup goes onto a disk by its label, and the disk is let go of',
      () =>
        withDisk(machine, 'PROVE-DISK', async () => {
          const to = (from: string, into: string) => done(`sed -i 's|to: ${from},|to: ${into},|' ${SITE}`)
          await to('/srv/backups', 'label:PROVE-DISK')
          await done('rm /var/lib/gatehouse-update/backup.json; systemctl start gatehouse-backup.service')
          const { file, problem } = await status()
          demand(problem === null && file?.startsWith('label:PROVE-DISK/'), `it says ${problem}`)
          await done('! grep PROVE-DISK /proc/mounts; mount LABEL=PROVE-DISK /mnt')
          const kept = await machine.run('ls /mnt; umount /mnt')
          demand(kept.includes(file.split('/').at(-1)), `on the disk is ${kept}`)
          await to('label:PROVE-DISK', '/srv/backups')
          return file
        }),
    ],
  ]
}

function demand(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}
