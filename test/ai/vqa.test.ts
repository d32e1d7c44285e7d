import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberIn, optionIn, yesNoIn } from '../../src/ai/vqa.ts'

const options = ['delivery', 'cab', 'fire truck', 'truck', 'größer', 'none']

test.each([
  ['delivery', 'delivery'],
  ['Delivery.', 'delivery'],
  ['The vehicle is here for a DELIVERY of parcels', 'delivery'],
  ['It is a fire truck', 'fire truck'],
  ['a truck', 'truck'],
  ['Die Kiste ist GROSSER, hm: grösser? größer!', 'größer'],
  ['none', 'none'],
  ['None of these', 'none'],
  ['None of them, a cab', 'unsure'],
  ['It is not a delivery', 'unsure'],
  ['There is no cab', 'unsure'],
  ['delivery or cab', 'unsure'],
  ['a fire truck and a truck', 'unsure'],
  ['It might be a delivery', 'unsure'],
  ['I cannot tell whether it is a cab', 'unsure'],
  ["I can't tell, a cab?", 'unsure'],
  ['deliveryman', 'unsure'],
  ['a bicycle', 'unsure'],
  ['', 'unsure'],
])('of %j the option is %s', (answer, option) => {
  expect(optionIn(answer, options)).toBe(option)
})

test.each([
  ['Yes', 'yes'],
  ['yes, there is a person at the door', 'yes'],
  ['No.', 'no'],
  ['No, nobody is there', 'no'],
  ['yes and no', 'unsure'],
  ['Yes, but the picture is dark', 'unsure'],
  ['No idea? I do not know', 'unsure'],
  ['Possibly yes', 'unsure'],
  ['There is a person', 'unsure'],
  ['yesterday', 'unsure'],
  ['', 'unsure'],
])('%j says %s', (answer, said) => {
  expect(yesNoIn(answer)).toBe(said)
})

test.each([
  ['3', 3],
  ['There are three people', 3],
  ['2.5 m', 2.5],
  ['-4', -4],
  ['two, yes: 2', 2],
  ['2 or 3', null],
  ['about a dozen', null],
  ['maybe 4', null],
  ['none', null],
  ['12345678901234', null],
  ['', null],
])('of %j the number is %s', (answer, number) => {
  expect(numberIn(answer)).toBe(number)
})

test('whatever is said, it is one of the options or unsure, and never takes long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), answer => {
      expect([...options, 'unsure']).toContain(optionIn(answer, options))
      expect(['yes', 'no', 'unsure']).toContain(yesNoIn(answer))
      const number = numberIn(answer)
      expect(number === null || Number.isFinite(number)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
