/** What becomes of a box by updates: good ones, bad ones, and those that a pulled plug cuts off. */
import { type Machine, until } from './machine.ts'
import { NEWER } from './releases.ts'

type Step = readonly [what: string, prove: () => Promise<string | undefined>]

const STATE = '/var/lib/gatehouse-update'

export function updateSteps(machine: Machine, publicKey: () => Promise<string>, first: string): Step[] {
  const done = async (line: string) => void (await machine.run(line))
  const current = () => machine.run('basename $(readlink /opt/gatehouse/current)')
  const seconds = (start: number) => ((performance.now() - start) / 1000).toFixed(1)
  const runs = (version: string) =>
    until(`${version} is up`, async () => {
      const answer = await machine.ask<{ version: string }>('/health').catch(() => null)
      return answer?.version === version
    })
  const refused = async (line: string, why: RegExp) => {
    const { code, said } = await machine.try(line)
    demand(code === 1 && why.test(said), `${line} was to be refused: ${code} ${said}`)
    demand(
      (await machine.run('ls /opt/gatehouse')).split('\n').join(' ') === 'current releases updater',
      'it left something',
    )
    demand((await machine.run('ls /opt/gatehouse/releases')).split('\n').length === 1, 'it left a release')
  }
  const notices = async () => {
    const { notices: all } = await machine.ask<{ notices: { title: string; body: string }[] }>(
      '/api/v1/notices',
    )
    return all
  }
  /** Begins an update, pulls the plug at a stage of it, and switches the box on again. */
  const cutOff = async (stage: string) => {
    await done('systemd-run --quiet --unit by-hand gatehouse update --from /media/updates/good --watch 5s')
    await until(
      stage,
      async () =>
        (await machine.try(`grep -q '"${stage}"' ${STATE}/status.json ${STATE}/underway.json`)).code === 0,
    )
    await machine.kill()
    const start = performance.now()
    await machine.boot()
    return start
  }

  return [
    [
      'a newer release is found, and a rehearsal of it changes nothing',
      async () => {
        const key = await publicKey()
        await machine.run(`mkdir -p /etc/gatehouse; cat >/etc/gatehouse/update.pub <<'END'\n${key}END`)
        const said = await machine.run('gatehouse update --check --from /media/updates/good')
        demand(said.includes(NEWER) && said.includes('Sees in the dark'), said)
        const start = performance.now()
        const would = await machine.run('gatehouse update --dry-run --from /media/updates/good')
        demand(would.includes(`would install: ${NEWER}`), would)
        demand(
          (await machine.run('ls /opt/gatehouse/releases')).split('\n').length === 1,
          'it left a release',
        )
        return `${seconds(start)} s to unpack, check and try it`
      },
    ],
    [
      'a release with a wrong signature, and an older one, are refused before they are unpacked',
      async () => {
        await refused('gatehouse update --from /media/updates/forged', /made with another key/)
        await refused('gatehouse update --from /media/updates/older', /older than/)
        return undefined
      },
    ],
    [
      'a release whose service never becomes well is taken back, with its database',
      async () => {
        const start = performance.now()
        const { code, said } = await machine.try('gatehouse update --from /media/updates/crashes')
        demand(code === 1 && /is not well: It ended \d+ times/.test(said), said)
        const all = seconds(start)
        demand((await current()) === first, 'it is not back')
        await runs(first.replace(/-linux.*/, ''))
        demand(
          (await machine.run('ls /opt/gatehouse/releases')).split('\n').length === 1,
          'the bad one is still there',
        )
        await until('people are told', async () =>
          (await notices()).some(({ title }) => /taken back/.test(title)),
        )
        demand(Number(all) < 60, `it took ${all} s`)
        return `${all} s from the command to the old one ready`
      },
    ],
    [
      'a newer release is installed, watched, and stays',
      async () => {
        const start = performance.now()
        await done('gatehouse update --from /media/updates/good --watch 10s')
        const all = seconds(start)
        demand((await current()).startsWith(NEWER), 'it is not')
        demand(
          (await machine.run('basename $(readlink /opt/gatehouse/updater)')).startsWith(NEWER),
          'the updater is old',
        )
        await runs(NEWER)
        await until('people are told', async () =>
          (await notices()).some(({ title }) => title.includes(NEWER)),
        )
        return `${all} s, 10 of them watched`
      },
    ],
    [
      'to go back by hand brings the former one',
      async () => {
        const start = performance.now()
        await done('gatehouse update --rollback')
        demand((await current()) === first, 'it is not back')
        await runs(first.replace(/-linux.*/, ''))
        return `${seconds(start)} s`
      },
    ],
    [
      'a stick with a release: what reads sticks installs it, and says so on the stick',
      async () => {
        await done(`rm -rf /opt/gatehouse/releases/${NEWER}*; mkdir -p /tmp/stick`)
        // Nobody waits three minutes here.
        await machine.run(
          `printf '#!/bin/sh\nexec /opt/gatehouse/current/gatehouse "$@" --watch 5s\n' >/tmp/watched; chmod +x /tmp/watched`,
        )
        const read = 'sh /media/appliance/usb.sh --folder /tmp/stick --program /tmp/watched'
        const result = () => machine.run('cat /tmp/stick/gatehouse-result.txt')
        await done('cp /media/updates/forged/gatehouse-* /tmp/stick')
        demand((await machine.try(read)).code === 1, 'a forged release was taken')
        demand(/REFUSED gatehouse-\S+: .*made with another key/.test(await result()), await result())
        demand((await current()) === first, 'it is another')
        await done('cp /media/updates/good/gatehouse-* /tmp/stick')
        const start = performance.now()
        await done(read)
        demand(/TAKEN {3}gatehouse-999\S+: /.test(await result()), await result())
        demand((await current()).startsWith(NEWER), 'it is not')
        await runs(NEWER)
        const took = seconds(start)
        await done('rm -r /tmp/stick; gatehouse update --rollback')
        await runs(first.replace(/-linux.*/, ''))
        return `${took} s, 5 of them watched`
      },
    ],
    [
      'the page asks for an update, and it is done without the engine having any right to',
      async () => {
        await done(`rm -rf /opt/gatehouse/releases/${NEWER}*`)
        const watched = 'ExecStart=\nExecStart=/opt/gatehouse/updater/gatehouse update --service --watch 5s'
        const folder = '/etc/systemd/system/gatehouse-update.service.d'
        await machine.run(
          `mkdir -p ${folder}; printf '[Service]\n${watched}\n' >${folder}/watch.conf; systemctl daemon-reload`,
        )
        await machine.run(
          `echo 'updates: { from: /media/updates/good }' >>/var/lib/private/gatehouse/site.yaml`,
        )
        const view = () => machine.ask<View>('/api/v1/system/update')
        await until('the source is known', async () => (await view()).source !== null)
        const start = performance.now()
        await machine.ask('/api/v1/system/update', 'POST', { do: 'check' })
        await until('it is found', async () => (await view()).available?.version === NEWER)
        await machine.ask('/api/v1/system/update', 'POST', { do: 'install' })
        const before = (await view()).last?.at
        const over = async () => {
          const { last } = await view().catch(() => ({ last: null }))
          return last !== null && last.at !== before
        }
        await until('it is over', over, 240)
        const { installed, last } = await view()
        demand(installed === NEWER && last?.outcome === 'done', JSON.stringify(last))
        await done(`rm -r ${folder}; systemctl daemon-reload; gatehouse update --rollback`)
        await runs(first.replace(/-linux.*/, ''))
        return `${seconds(start)} s, 5 of them watched`
      },
    ],
    [
      'a plug that is pulled while a release is fetched leaves the old one',
      async () => {
        await done(`rm -rf /opt/gatehouse/releases/${NEWER}*`)
        const start = await cutOff('fetching')
        demand((await current()) === first, 'it is another')
        await runs(first.replace(/-linux.*/, ''))
        return `it was up ${seconds(start)} s after power came back`
      },
    ],
    ...(['switching', 'watching'] as const).map(
      stage =>
        [
          `a plug that is pulled while it is ${stage} leaves a box that ends the update by itself`,
          async () => {
            await done(`rm -rf /opt/gatehouse/releases/${NEWER}*`)
            const start = await cutOff(stage)
            await until(
              'the update is over',
              async () => (await machine.try(`test -e ${STATE}/underway.json`)).code !== 0,
              240,
            )
            const last = JSON.parse(await machine.run(`cat ${STATE}/status.json`)).last
            demand(last.outcome === 'done', `it is ${JSON.stringify(last)}`)
            demand((await current()).startsWith(NEWER), 'it is another')
            await runs(NEWER)
            const took = seconds(start)
            await done('gatehouse update --rollback')
            await runs(first.replace(/-linux.*/, ''))
            return `${took} s from power to the end of it, 5 of them watched`
          },
        ] as const,
    ),
  ]
}

interface View {
  installed: string
  source: string | null
  available: { version: string } | null
  last: { outcome: string; at: string } | null
}

function demand(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise)
}
