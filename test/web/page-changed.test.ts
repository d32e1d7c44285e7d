import { describe, expect, it } from 'vitest'
import { changed } from '../../src/web/page/changed/index.ts'

describe('what a version changed', () => {
  it('is said by steps and lanes, not by paths', () => {
    const said = changed(
      'then[0].person[0]: alert title; limits; then[1]["Let in"][1]: log added; and 3 more',
    )
    expect(said).not.toMatch(/\[\d|then\[/)
    expect(said).toMatch(
      /^Step 1, then “[^”]+”, step 1: “[^”]+” \(title\); Its limits; Step 2, then “Let in”, step 2: /,
    )
    expect(said).toMatch(/; and 3 more$/)
    expect(changed('back to version 4')).toBe('Back to version 4')
  })

  it('is left as it is where it is none of these', () => {
    for (const text of ['somebody: wrote this', 'then[x]: log', 'limits; what'])
      expect(changed(text)).toBe(text)
  })
})
