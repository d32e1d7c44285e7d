import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cronFault } from '../../src/contract/cron.ts'
import { guessDuration } from '../../src/contract/duration.ts'
import {
  fill,
  foldText,
  identity,
  type Json,
  matches,
  parseDuration,
  placeholdersIn,
  sameIdentity,
} from '../../src/contract/index.ts'
import { nearest } from '../../src/contract/nearest.ts'

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['5s', 5000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['7d', 604_800_000],
    ['0s', 0],
    ['5', null],
    ['5 s', null],
    ['-5s', null],
    ['1.5h', null],
    ['5S', null],
    ['', null],
    ['9999999999s', null],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each([
    ['5 minutes', '5m'],
    ['30 sec', '30s'],
    ['2Hours', '2h'],
    ['90', '90s'],
    ['007d', '7d'],
    ['soon', null],
    ['5 fortnights', null],
  ])('%s was probably meant as %s', (text, meant) => {
    expect(guessDuration(text)).toBe(meant)
  })
})

describe('cron', () => {
  test.each(['* * * * *', '*/5 8-18 * * mon-fri', '0,30 7 1,15 jan,JUL 0', '0 0 31 12 7', '5-10/2 * * * *'])(
    '%s is fine',
    line => {
      expect(cronFault(line)).toBeNull()
    },
  )
  test.each([
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '*/60 * * * *',
    '5/2 * * * *',
    '10-5 * * * *',
    'a * * * *',
    '1,,2 * * * *',
    '* * * mon *',
    '@daily',
    '',
  ])('%s is not', line => {
    expect(cronFault(line)).toMatch(/\.$/)
  })
})

describe('placeholders', () => {
  test('are found once each, in order', () => {
    expect(placeholdersIn('{b} {a} {b} {a.c} {trigger.x} { a } {} {a.b.c} {1} {é}')).toEqual([
      'b',
      'a',
      'a.c',
      'trigger.x',
    ])
  })

  test('are filled once: a value is never read again', () => {
    expect(fill('{a}{b}', { a: '{b}', b: '{a}' })).toBe('{b}{a}')
    expect(fill('{a}', { a: '$& $1 $$' })).toBe('$& $1 $$')
  })

  test('without a value print empty, and reach no inherited property', () => {
    expect(fill('<{x}{constructor}{toString}{__proto__}>', {})).toBe('<>')
  })

  test('print values as people read them', () => {
    const values: Record<string, Json> = {
      n: 1.5,
      y: true,
      no: false,
      l: ['a', 2, null],
      o: { a: 1 },
      z: null,
      's.n': 0,
    }
    expect(fill('{n}|{y}|{no}|{l}|{o}|{z}|{s.n}', values)).toBe('1.5|yes|no|a, 2, |{"a":1}||0')
  })

  test('leave texts without placeholders alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        fc.pre(placeholdersIn(text).length === 0)
        expect(fill(text, { a: 'x' })).toBe(text)
      }),
    )
  })
})

describe('identities', () => {
  test('are compared exactly but for case of ASCII letters, edges and composition', () => {
    expect(sameIdentity(' AB12cd', 'ab12CD\n')).toBe(true)
    expect(sameIdentity('caf\u00e9', 'cafe\u0301')).toBe(true)
    expect(sameIdentity('É', 'é')).toBe(false)
    expect(sameIdentity('café', 'cafe')).toBe(false)
    expect(sameIdentity('AB 12', 'AB12')).toBe(false)
    expect(sameIdentity('O', '0')).toBe(false)
    expect(sameIdentity('K', 'k')).toBe(true)
    // The Kelvin sign is a K by composition, not by case.
    expect(identity('\u212a')).toBe('k')
  })

  test('empty ones match nothing', () => {
    expect(sameIdentity('', '')).toBe(false)
    expect(sameIdentity('  ', '\t')).toBe(false)
  })

  test('comparing is symmetric, and stable under its own form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(sameIdentity(a, b)).toBe(sameIdentity(b, a))
        expect(identity(identity(a))).toBe(identity(a))
      }),
    )
  })
})

describe('matchers', () => {
  test.each<[Json, Json | undefined, boolean]>([
    ['DHL', 'dhl', true],
    ['cafe', 'Café ', true],
    [['dhl', 'ups'], 'UPS', true],
    [['dhl', 'ups'], 'gls', false],
    [3, 3, true],
    [3, '3', true],
    ['yes', true, true],
    ['no', true, false],
    [true, 'yes', true],
    ['', '', true],
    ['x', null, false],
    ['x', undefined, false],
    [{ at_least: 2 }, 2, true],
    [{ at_least: 2 }, 1.9, false],
    [{ at_least: 2, at_most: 4 }, 5, false],
    [{ at_least: 0.9 }, '0.95', true],
    [{ at_least: 0 }, 'many', false],
    [{ at_most: 5 }, null, false],
    [{ at_least: '2' }, 3, false],
    [{ contains_any: ['prime'] }, 'AMAZON PRIME', true],
    [{ contains_any: ['', ' '] }, 'anything', false],
    [{ contains_any: ['b'] }, ['abc', 'd'], true],
    [{ is_not: 'dhl' }, 'ups', true],
    [{ is_not: ['dhl', 'ups'] }, 'UPS', false],
    [{ is_not: 'dhl' }, null, false],
    ['night', ['Day', 'Night'], true],
    [{ is_not: 'night' }, ['day', 'night'], false],
    [{}, 'x', false],
    [{ unheard_of: 'x' }, 'x', false],
    ['x', { x: 1 }, false],
    [null, null, false],
  ])('%j against %j: %s', (matcher, value, expected) => {
    expect(matches(matcher, value)).toBe(expected)
  })

  test('folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

test.each([
  ['alrt', ['alert', 'app'], 'alert'],
  ['satte', ['state', 'name'], 'state'],
  ['if', ['ai'], null],
  ['xyz', ['alert'], null],
  ['alert', ['alert'], null],
])('what was meant by %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant)
})
