import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, registry } from '../../src/contract/index.ts'
import { translate } from '../../src/web/page/words/de/said/index.ts'
import { isSentence, textsIn } from './literals.ts'

/** What there is no German for. */
const missing = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].filter(text => !translate(text)?.whole)

const contract = join(import.meta.dirname, '../contract')
const files = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.yaml'))
  .map(name => readFileSync(join(contract, name), 'utf8'))

/** Sentences that are put together out of others; files above say each of them. */
const IN_PIECES = [
  'No § § at this site: add it to the site, or change the name.§',
  'This§ is no step: write its kind, a colon and its parameters.',
  '§ is missing: add it§.',
  '§ Texts in it may hold placeholders.',
  'What is published.',
  'What is sent.',
  '§ is §: §. Did you mean §?',
  '§ must be §.',
]

/** Files whose sentences are for programs and their authors, and the page itself. */
const OF_PROGRAMS = [
  'web/page/',
  'web/documented/',
  'web/openapi.ts',
  'web/routes/documents.ts',
  'web/build-validator.ts',
]

/** What no page shows, or shows only filled in with what is known. */
const FROM_ELSEWHERE = [
  'Call for the cameras in the networks of this box (ONVIF)',
  '§ min before: §§: §',
  '§ of § cases of the template § § out differently: §§.§',
  '§ is not known: §',
  '§ stands still: §',
  '§ must be §.',
  '`set` must be §.',
]

/** All that a node of the registry says about itself, however deep. */
function* saysOf(node: unknown): Iterable<string> {
  if (node === null || typeof node !== 'object') return
  for (const [key, value] of Object.entries(node))
    if (['description', 'not_for'].includes(key) && typeof value === 'string') yield value
    else yield* saysOf(value)
}

describe('the page in German', () => {
  it('has words for every kind, parameter and tool of the contract', () => {
    expect(missing(saysOf(registry()))).toEqual([])
  })

  it('has words for every problem of a file, and for what mends it', () => {
    expect(files.length).toBeGreaterThan(200)
    const problems = files.flatMap(text => parse(text).problems)
    expect(missing(problems.flatMap(({ message, fix }) => (fix ? [message, fix.title] : [message])))).toEqual(
      [],
    )
  })

  it('has words for every sentence in the sources of the contract', () => {
    const said = [...textsIn('contract').values()].flat().filter(isSentence)
    expect(said.length).toBeGreaterThan(300)
    const left = said.filter(text => !IN_PIECES.includes(text) && !translate(text))
    expect(left).toEqual([])
  })

  it('has words for every sentence with which the box refuses, or that it tells', () => {
    const found = ['web', 'engine', 'site'].flatMap(folder => [...textsIn(folder)])
    const said = found.filter(([file]) => !OF_PROGRAMS.some(of => file.startsWith(of)))
    const sentences = said.flatMap(([, texts]) => texts).filter(isSentence)
    expect(sentences.length).toBeGreaterThan(250)
    expect(sentences.filter(text => !FROM_ELSEWHERE.includes(text) && !translate(text))).toEqual([])
  })

  it('has words for what the templates and models that ship say of themselves', () => {
    const root = join(import.meta.dirname, '../..')
    const templates = readdirSync(join(root, 'templates')).filter(name => name.endsWith('.yaml'))
    const texts = [...templates.map(name => join('templates', name)), 'models/catalog.yaml'].flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^ *description: ([A-Z].+)$/gm)].map(
        ([, said = '']) => said,
      ),
    )
    expect(texts.length).toBeGreaterThan(templates.length)
    expect(missing(texts)).toEqual([])
  })

  it('says why something is not to be reached, too', () => {
    for (const why of ['nothing answers there', 'its name is not known', 'it did not answer in time']) {
      const german = translate(`camera yard cannot be reached: ${why}.`)?.text
      expect(german).toMatch(/^Kamera yard ist nicht zu erreichen: /)
      expect(german).not.toContain(why)
    }
  })

  it('says why a run came to what it did, and leaves what a model wrote', () => {
    expect(translate('1 person, no vehicle')).toEqual({ text: '1 Person, kein Fahrzeug', whole: true })
    expect(translate('2 persons, an animal, text “DHL, no parking”, plate GH27DEMO')?.text).toBe(
      '2 Personen, ein Tier, Text „DHL, no parking“, Kennzeichen GH27DEMO',
    )
    expect(
      translate('the picture from camera gate is 69 s old, at most 60 s is allowed (max_age)')?.text,
    ).toBe('Das Bild von Kamera gate ist 69 s alt, erlaubt sind höchstens 60 s (max_age)')
    expect(translate('no person, no plate: 41 % sure, 80 % needed')?.text).toBe(
      'keine Person, kein Kennzeichen: zu 41 % sicher, 80 % sind nötig',
    )
    expect(translate('a person, a ladder at the wall')).toBeNull()
    expect(translate('a person – A message was lost: gate did not answer in time.')?.text).toBe(
      'eine Person – Eine Nachricht ging verloren: gate antwortete nicht rechtzeitig.',
    )
  })

  it('takes the pattern that says most, and leaves alone what it does not know', () => {
    expect(translate('{plate} may come from several places: write {a.plate} or {b.plate}.')?.text).toBe(
      '{plate} kann von mehreren Stellen kommen: Schreiben Sie {a.plate} oder {b.plate}.',
    )
    expect(translate('fold must be one of a, b, not c.')?.text).toBe(
      'fold muss eines von a, b sein, nicht c.',
    )
    expect(translate('The gate must be closed.')).toBeNull()
    expect(translate('camera')).toBeNull()
    expect(translate('gate, yard and 3 more.\ngate did not answer in time. And others.')?.text).toBe(
      'gate, yard und 3 weitere.\ngate antwortete nicht rechtzeitig. Und andere.',
    )
    expect(translate('gate did not answer in time.\nSince 2026-11-30 22:00.')?.text).toBe(
      'gate antwortete nicht rechtzeitig.\nSeit 2026-11-30 22:00.',
    )
    expect(translate(`${'x'.repeat(100_000)} must be one of`)).toBeNull()
    // Nobody's text holds the page up.
    const before = performance.now()
    for (const piece of [': needs takes ', 'moves something here, ', ' is no option of : . ', '. Look and '])
      translate(piece.repeat(90))
    expect(performance.now() - before).toBeLessThan(2000)
  })
})
