import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTable, type Wrong } from '../../firmware-scripts/fleet/table.ts'
import { boxesOf } from '../../firmware-scripts/fleet.ts'
import { folder, root } from '../cli/gatehouse.ts'

const TEMPLATE = `# The yard of a site.
people:
  guard: { name: <guard> }
cameras:
  gate: { name: "Gate of <site>", roles: [gate], source: { rtsp: { url: "rtsp://<gate_ip>/stream1", user: gatehouse, password: { secret: gate-camera } } } }
`
const HEAD = 'box;guard;site;gate_ip;address;gateway;time_zone;secret:gate-camera'
const NORTH =
  'north;"Ann ""A"" }, x: [1]";"Müller; Söhne";192.168.1.21;192.168.1.20/24;192.168.1.1;Europe/Berlin;"p;w"'

let dir: string
beforeEach(() => {
  dir = folder()
  writeFileSync(join(dir, 'site.yaml'), TEMPLATE)
})
afterEach(() => rmSync(dir, { recursive: true }))

async function fleet(csv: string | Uint8Array, ...args: string[]) {
  writeFileSync(join(dir, 'sites.csv'), csv)
  const script = join(root, 'firmware-scripts/fleet.ts')
  const child = Bun.spawn([process.execPath, script, join(dir, 'sites.csv'), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err: err.replaceAll(`${dir}/`, '') }
}

/** What is wrong with a table, without a process of its own. */
async function wrongOf(csv: string): Promise<string[]> {
  writeFileSync(join(dir, 'sites.csv'), csv)
  const wrong: Wrong[] = []
  await boxesOf({ path: join(dir, 'sites.csv'), template: join(dir, 'site.yaml') }, wrong, [])
  return wrong.map(({ line, message }) => `${line} ${message}`)
}

describe('fleet.ts', () => {
  it('makes of each row the files for the boot partition of a box, secrets for their owner alone', async () => {
    const out = join(dir, 'out')
    const said = await fleet(
      `\ufeff${HEAD}\r\n${NORTH}\r\n;;;;;;;\r\nsouth;Bob;S;10.0.0.9;;;;\r\n`,
      '--out',
      out,
    )
    expect(said.code).toBe(0)
    expect(said.err).toBe('sites.csv:4 mind: no secret:gate-camera is given: lay it onto the box by hand\n')
    expect(readdirSync(out).toSorted()).toEqual(['north', 'south'])
    const site = Bun.YAML.parse(readFileSync(join(out, 'north/site.yaml'), 'utf8'))
    // What a cell holds is a text, whatever it looks like.
    expect(site).toMatchObject({
      people: { guard: { name: 'Ann "A" }, x: [1]' } },
      cameras: { gate: { name: 'Gate of Müller; Söhne' } },
    })
    expect(readFileSync(join(out, 'north/gatehouse-first-boot.yaml'), 'utf8')).toBe(
      'host_name: north\ntime_zone: Europe/Berlin\naddress: 192.168.1.20/24\ngateway: 192.168.1.1\n',
    )
    const secret = join(out, 'north/secrets/gate-camera')
    expect([readFileSync(secret, 'utf8'), statSync(secret).mode & 0o777]).toEqual(['p;w', 0o600])
    expect(statSync(join(out, 'north/secrets')).mode & 0o777).toBe(0o700)
    expect((await fleet(`${HEAD}\n${NORTH}\n`, '--out', out)).err).toContain('--force')
  })

  it('writes nothing at all where anything is wrong, and says the line of the table', async () => {
    const out = join(dir, 'out')
    const { code, err } = await fleet(
      `${HEAD}\n${NORTH}\nsouth;=1+1;x;10.0.0.9;192.168.1.20/24;;Mars/City;w\n`,
      '--out',
      out,
    )
    expect(code).toBe(1)
    for (const why of [
      'guard is a formula',
      'address 192.168.1.20 is in line 2',
      'time_zone is to be a name',
    ])
      expect(err).toContain(`sites.csv:3 error: ${why}`)
    expect(() => readdirSync(out)).toThrow()
  })

  it("reads each site as the box's own reader does", async () => {
    writeFileSync(join(dir, 'other.yaml'), 'cameras:\n  gate: { source: { rtsp: { url: "<gate_ip>" } } }\n')
    const [first] = await wrongOf('box,gate_ip,template\nnorth,http://x,other.yaml\n')
    expect(first).toMatch(/^2 site\.yaml:2:\d+ /)
  })

  it.each<[string, string, RegExp]>([
    ['a missing column', 'guard\nAnn\n', /1 there is no column "box"/],
    ['a column twice', 'box,box\na,b\n', /1 column "box" is there twice/],
    ['a column of odd name', 'box,Gate IP\na,b\n', /1 column 2, "Gate IP"/],
    ['a quote that stays open', 'box,site\n"a,b\n', /2 a quote is opened/],
    ['a cell too many', 'box,site\na,b,c\n', /2 there is a cell more/],
    ['a way out of the folder', 'box\n../x\n', /2 box "..\/x" is to be/],
    ['a template that is not there', 'box,template\na,/nonexistent\n', /2 nonexistent cannot be read/],
    ['a broken formula', 'box,site\na,#REF!\n', /2 site is a formula that came to nothing/],
    ['a full-width formula', 'box,site\na,＝cmd\n', /2 site is a formula/],
    ['a line break in a cell', 'box,site\na,"x\ny"\n', /2 site holds a line break/],
    ['a box twice', 'box\na\nb\na\n', /4 box a is in line 2, too/],
    ['a gateway alone', 'box,gateway\na,10.0.0.1\n', /2 gateway needs an address/],
    ['an address without its bits', 'box,address\na,10.0.0.1\n', /2 address is to be like/],
    [
      'an empty cell that is asked for',
      'box,guard\na,\n',
      /2 the template asks for <guard>, and its cell is empty/,
    ],
    ['nothing', '', /1 there is nothing in it/],
  ])('says what is wrong with %s', async (_, csv, why) => {
    expect((await wrongOf(csv)).join('\n')).toMatch(why)
  })

  it('takes an apostrophe before a text for what it is, and never shows a secret', async () => {
    const wrong: Wrong[] = []
    const bytes = (text: string) => new TextEncoder().encode(text)
    const { rows } = readTable(bytes("box,secret:a\nn,'=pass\n"), wrong)
    expect([rows[0]?.cells.get('secret:a'), wrong]).toEqual(['=pass', []])
    expect(await wrongOf('box,secret:a\nn,=hunter2\n')).not.toContain('hunter2')
  })

  it.each([
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x62, 0])],
    ['Latin-1', new Uint8Array([0x62, 0x6f, 0x78, 0x0a, 0xfc])],
  ])('asks for UTF-8 in place of %s', async (_, bytes) => {
    const wrong: Wrong[] = []
    readTable(bytes, wrong)
    expect(wrong[0]?.message).toContain('save it as "CSV UTF-8"')
  })

  it('explains itself, and checks without writing', async () => {
    expect((await fleet('', '--help')).out).toContain('--template')
    expect((await fleet('box\nn\n', '--frob')).code).toBe(2)
    mkdirSync(join(dir, 'out'))
    const { code, out } = await fleet(`${HEAD}\n${NORTH}\n`, '--dry-run')
    expect([code, out]).toEqual([0, 'Boxes that are in order: 1. Nothing was written.\n'])
  })
})
