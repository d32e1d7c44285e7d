import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { count, languageOf, t, term } from '../../src/web/page/language.ts'
import { de } from '../../src/web/page/words/de/index.ts'
import { en, type Key } from '../../src/web/page/words/en/index.ts'

const PAGE = join(import.meta.dirname, '../../src/web/page')

describe('the texts of the page', () => {
  it('are all there in each language, with the same gaps to fill', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
    const gaps = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
    for (const key of Object.keys(en) as Key[]) {
      expect([key, de[key].trim() !== '', en[key].trim() !== '']).toEqual([key, true, true])
      // An article before a noun has no counterpart where the noun is quoted.
      expect([key, gaps(de[key])]).toEqual([key, gaps(en[key]).filter(gap => gap !== '{a}')])
    }
  })

  it('are chosen by what the browser asks for first', () => {
    const wanted = [['de-AT', 'en'], ['fr', 'de'], ['en-US', 'de'], ['fr'], [], ['__proto__', 'DE']]
    expect(wanted.map(languageOf)).toEqual(['de', 'de', 'en', 'en', 'en', 'de'])
  })

  it('fill their gaps once: what is filled in is no text of ours', () => {
    expect(t('mark.says', { verdict: '{by}', by: '{verdict}' })).toBe('{by}, says {verdict}')
    expect([1, 2].map(n => count('run.seen_again', n))).toEqual([
      ', seen again 1 time',
      ', seen again 2 times',
    ])
    expect([term('kind', 'ai'), term('kind', 'nothing'), term('toString', '')]).toEqual([
      'Look at the picture',
      null,
      null,
    ])
  })

  it('stand in the catalogue and nowhere else', () => {
    const files = readdirSync(PAGE).filter(name => name.endsWith('.ts'))
    const left = files.flatMap(name => {
      const source = readFileSync(join(PAGE, name), 'utf8')
      // Words between two tags, or as the label of something.
      const found = [
        ...source.matchAll(/(?<==[^\n]*|\w|"|\})>\s*([A-Za-z][a-z]+(?: [A-Za-z]+)*[ .:]*)\s*(?:<\/|\$\{)/g),
        ...source.matchAll(/(?:aria-label|label|alt|title|placeholder)="([A-Z][^"]*)"/g),
      ]
      return found.map(([, text]) => `${name}: ${text}`)
    })
    expect(left.filter(line => !/: (Gatehouse|Home Assistant)\s*$/.test(line))).toEqual([])
  })
})
