import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folder, gatehouse, root } from './gatehouse.ts'

const dir = folder()
const file = join(dir, 'ask.yaml')
const site = join(dir, 'site.yaml')
const told: unknown[] = []
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async request => {
    told.push(await request.json())
    return new Response('ok')
  },
})

const workflow = (timeout: string) => `
contract: workflow.v1
name: Ask
state: on
when: { button: {} }
then:
  - webhook: { to: chat, json: { text: asked } }
  - ask_person: { who: role:guard, message: "Open the gate?", replies: [Open, Refuse], timeout: ${timeout}, default: Refuse }
    Open: [ log: "opened by {answered_by}" ]
    Refuse: [ log: refused ]
`
beforeAll(() => {
  writeFileSync(file, workflow('5m'))
  writeFileSync(
    site,
    `people: { ann: { roles: [guard] } }\ndestinations: { chat: { url: "http://127.0.0.1:${server.port}/", class: tell } }\n`,
  )
})
afterAll(async () => {
  await server.stop(true)
  rmSync(dir, { recursive: true, force: true })
})
const run = (...args: string[]) => gatehouse('run', file, '--site', site, ...args)

describe('a file that says on, in the foreground', () => {
  it('does nothing without --on, and says so', async () => {
    const { code, out, err } = await run()
    expect(err).toBe('The file says on: without --on it is only written down what it would do.\n')
    expect(out).toMatch(/^Ask, run in Test: done/)
    expect([code, told]).toEqual([0, []])
  })

  it('shows its question and takes the answer that was given along', async () => {
    const { code, out, err } = await run('--on', '--answer', 'open')
    expect(err).toBe(
      'asks role:guard: Open the gate?\n  Open: moves nothing\n  Refuse: moves nothing; counts if nobody answers\n',
    )
    expect(out).toContain('opened by this terminal')
    expect([code, told]).toEqual([0, [{ text: 'asked' }]])
  })

  it('says how long a question is open, and goes on by its default', async () => {
    writeFileSync(file, workflow('4s'))
    const { code, out, err } = await run('--on', '--json')
    expect(err).toMatch(/\n {2}open for \d+ s: give the reply with --answer\n$/)
    expect(JSON.parse(out).steps.at(-1).inputs).toBe('refused')
    expect(code).toBe(0)
    writeFileSync(file, workflow('5m'))
  })

  it('is answered by who sits at its terminal', async () => {
    let shown = ''
    const child = Bun.spawn(
      [process.execPath, join(root, 'src/main.ts'), 'run', file, '--site', site, '--on'],
      {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
        terminal: {
          data(terminal, data) {
            const before = shown
            shown += new TextDecoder().decode(data)
            const asks = /press Enter/
            if (asks.test(shown) && !asks.test(before)) terminal.write('Perhaps\n')
            const wrong = /Answer with one of/
            if (wrong.test(shown) && !wrong.test(before)) terminal.write('Refuse\n')
          },
        },
      },
    )
    expect(await child.exited).toBe(0)
    expect(shown).toMatch(/open for \d+ s: type a reply and press Enter/)
    expect(shown).toContain('Answer with one of “Open”, “Refuse”.')
    expect(shown).toMatch(/Ask, run in On: done/)
  })

  it.each([
    [['--answer', 'Open'], /--answer needs --on/],
    [['--on', '--answer', 'Maybe'], /“Maybe” is none of the replies of the file: “Open”, “Refuse”/],
  ])('%j is wrong use', async (args, message) => {
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})
