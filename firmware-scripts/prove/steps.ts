/** What a box goes through, in order; each throws where it does not stand it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../src/box/version.ts'
import { type Machine, onHost, until } from './machine.ts'
import { starve } from './starve.ts'
import { updateSteps } from './updates.ts'
import { upkeepSteps } from './upkeep.ts'

type Step = readonly [what: string, prove: () => Promise<string | undefined>]

const INSTALL = '/media/release/install.sh'

/** `next`: a copy of the release, to be made a newer one. `publicKey`: makes the signed ones, and answers with it. */
export function steps(
  machine: Machine,
  next: string,
  publicKey: () => Promise<string>,
  timed: boolean,
): Step[] {
  const engine = () => machine.mainOf('gatehouse.service')
  const inference = () => machine.mainOf('gatehouse-inference.service')
  const decisions = async () =>
    Number(await machine.run('journalctl --unit gatehouse --output cat | grep -c "just decided" || true'))
  const done = async (line: string) => void (await machine.run(line))
  const refused = async (line: string, why: RegExp) => {
    const { code, said } = await machine.try(line)
    demand(code === 1 && why.test(said), `${line} was to be refused: ${code} ${said}`)
    return undefined
  }
  /** Until another engine runs and says that it is ready. */
  const replaced = (former: number) =>
    until('the engine is back', async () => {
      const pid = await engine()
      return pid !== 0 && pid !== former && (await machine.try('systemctl is-active gatehouse')).code === 0
    })

  return [
    ['a Debian boots, with systemd as its process 1', async () => void (await machine.boot())],
    [
      'a dry run changes nothing',
      async () => {
        const said = await machine.run(`${INSTALL} --dry-run`)
        demand(said.includes('would: '), said)
        await done('! ls /opt/gatehouse /etc/gatehouse /usr/local/bin/gatehouse 2>/dev/null')
        return undefined
      },
    ],
    [
      'install.sh installs it offline',
      async () => {
        const start = performance.now()
        await done(
          `mkdir -p -m 700 /etc/gatehouse/secrets; echo hunter2 >/etc/gatehouse/secrets/nvr; ${INSTALL}`,
        )
        const seconds = (performance.now() - start) / 1000
        demand(seconds < 30 || !timed, `it took ${seconds} s`)
        return `${seconds.toFixed(1)} s until it was ready`
      },
    ],
    [
      'it looks at two pictures and decides',
      async () => {
        const ms = await until('two decisions', async () => (await decisions()) === 2)
        return `${(ms / 1000).toFixed(1)} s later`
      },
    ],
    [
      'both services run shut in',
      async () => {
        for (const pid of [await engine(), await inference()]) {
          const status = await machine.run(`cat /proc/${pid}/status`)
          demand(/^CapEff:\s+0+$/m.test(status) && /^CapBnd:\s+0+$/m.test(status), 'it has capabilities')
          demand(/^NoNewPrivs:\s+1$/m.test(status) && /^Seccomp:\s+2$/m.test(status), 'no filter is in force')
          demand(!/^Uid:\s+0\b/m.test(status), 'it is root')
          await done(`! touch /proc/${pid}/root/etc/written 2>/dev/null`)
        }
        const said = await machine.run('systemd-analyze security --no-pager gatehouse.service | tail -n 1')
        return said.replace(/^.*: /, 'exposure ').replace(/ \D+$/, '')
      },
    ],
    [
      'inference sees the models, and neither data nor network',
      async () => {
        const pid = await inference()
        demand(
          (await machine.run(`ls -A /proc/${pid}/root/var/lib/private/gatehouse`)) === 'models',
          'it sees data',
        )
        demand((await machine.run(`grep -c : /proc/${pid}/net/dev`)) === '1', 'it has more than a loopback')
        return undefined
      },
    ],
    [
      'a secret of /etc/gatehouse/secrets is handed to the engine alone',
      async () => {
        demand(
          (await machine.run('cat /run/credentials/gatehouse.service/secrets_nvr')) === 'hunter2',
          'it is not',
        )
        await done('! ls /run/credentials/gatehouse-inference.service 2>/dev/null')
        return undefined
      },
    ],
    [
      'to install it again changes nothing and restarts nothing',
      async () => {
        const pid = await engine()
        await done(INSTALL)
        demand((await engine()) === pid, 'it was restarted')
        return undefined
      },
    ],
    [
      'a killed engine is back',
      async () => {
        const pid = await engine()
        await done(`kill -KILL ${pid}`)
        return `${((await replaced(pid)) / 1000).toFixed(1)} s`
      },
    ],
    [
      'an engine that hangs is killed by the watchdog and is back',
      async () => {
        const pid = await engine()
        await done(`kill -STOP ${pid}`)
        const ms = await replaced(pid)
        await done('journalctl --unit gatehouse --output cat | grep "Watchdog timeout"')
        return `${(ms / 1000).toFixed(1)} s`
      },
    ],
    ['when memory runs out the child dies, and neither service', () => starve(machine)],
    [
      'what it knows outlives a reboot',
      async () => {
        const before = await machine.run('gatehouse version; ls /var/lib/gatehouse/media | wc -l')
        await machine.powerOff()
        await machine.boot()
        await until(
          'it is active',
          async () => (await machine.try('systemctl is-active gatehouse')).code === 0,
        )
        demand(
          (await machine.run('gatehouse version; ls /var/lib/gatehouse/media | wc -l')) === before,
          'it is less',
        )
        return undefined
      },
    ],
    ...upkeepSteps(machine),
    ...updateSteps(machine, publicKey, `${version}-linux-x64`),
    [
      'a damaged copy is refused',
      async () => {
        await writeFile(join(next, 'templates', 'yard-watch.yaml'), 'x')
        return refused('/media/next/install.sh', /not as they were made/)
      },
    ],
    [
      'a newer release takes its place, the older one stays beside it',
      async () => {
        const release = join(next, 'RELEASE')
        await writeFile(release, (await readFile(release, 'utf8')).replace(/^version=.*/, 'version=999.0.0'))
        await reseal(next)
        const pid = await engine()
        await done('/media/next/install.sh')
        demand((await engine()) !== pid, 'the old one runs on')
        demand(
          (await machine.run('ls /opt/gatehouse/releases')).split('\n').length === 2,
          'the old one is gone',
        )
        return undefined
      },
    ],
    [
      'the older one is not installed over it unless that is asked for',
      async () => {
        await refused(INSTALL, /newer/)
        await done(`${INSTALL} --downgrade`)
        return undefined
      },
    ],
    [
      'a port that is taken is said',
      async () => {
        await done(
          'systemctl stop gatehouse; systemd-run --quiet --unit other gatehouse up --data /tmp/other --no-demo',
        )
        await until(
          'the other is up',
          async () => (await machine.try('grep -q :1F98 /proc/net/tcp')).code === 0,
        )
        await refused(INSTALL, /port 8088 is taken/)
        await done('systemctl stop other')
        await done(`${INSTALL} --port 9099`)
        await done('systemctl restart gatehouse; grep -q :238B /proc/net/tcp')
        return undefined
      },
    ],
    [
      'to remove it leaves the data, unless that is to go too',
      async () => {
        await done(`${INSTALL} --uninstall`)
        await done('! ls /opt/gatehouse /usr/local/bin/gatehouse /etc/systemd/system/gatehouse* 2>/dev/null')
        await done('ls /var/lib/private/gatehouse/gatehouse.db /etc/gatehouse/secrets/nvr')
        await done(`${INSTALL} --uninstall --purge`)
        await done(
          '! ls /var/lib/private/gatehouse /var/lib/gatehouse /var/lib/gatehouse-update /etc/gatehouse 2>/dev/null',
        )
        return undefined
      },
    ],
    [
      'installed with --nvr, it begins with the one that answers, in a site file of its own',
      async () => {
        await done(`${INSTALL} --uninstall --purge`)
        // What a NATS server says to whoever calls.
        await machine.run(
          `cat >/tmp/nats <<'END'
#!/bin/sh
printf 'INFO {"version":"2.11.0"}\\r\\n'
exec cat >/dev/null
END
chmod +x /tmp/nats`,
        )
        await done(
          'systemd-run --quiet --unit nats systemd-socket-activate --listen 4222 --accept --inetd /tmp/nats',
        )
        await until('it listens', async () => (await machine.try('grep -q :107E /proc/net/tcp*')).code === 0)
        const said = await machine.run(`${INSTALL} --nvr 127.0.0.1`)
        demand(/NATS server \(2\.11\.0\)/.test(said) && /Written into/.test(said), said)
        const data = '/var/lib/private/gatehouse'
        await done(`grep -q 'url: "nats://127.0.0.1:4222"' ${data}/site.yaml`)
        const owners = await machine.run(
          `stat -c %u ${data}/site.yaml ${data}/gatehouse.db | sort -u | wc -l`,
        )
        demand(owners === '1', "the site file is not the service's")
        await done('systemctl restart gatehouse; systemctl stop nats')
        // The second time there is a site file.
        const again = await machine.run(`${INSTALL} --nvr 127.0.0.1`)
        demand(/Kept: the site file/.test(again), again)
        return said.split('\n').find(line => line.includes('NATS server'))
      },
    ],
  ]
}

/** The sums of a copy that was changed on purpose. */
async function reseal(folder: string): Promise<void> {
  await onHost(
    'sh',
    '-c',
    `cd ${folder} && find . -type f ! -name SHA256SUMS -printf '%P\\0' | sort -z | xargs -0 sha256sum >SHA256SUMS`,
  )
}

export function demand(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}
