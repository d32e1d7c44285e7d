import { expect, test } from 'vitest'
import { check } from '../../src/engine/index.ts'
import { Site, SiteError } from '../../src/site/index.ts'

const BASE = `destinations:
  them: { url: "http://192.168.1.9:8000", class: read }
  gate: { url: "http://192.168.1.10", class: move }
people: { anna: {}, ben: {} }
`
const load = (faces: string) => Site.load(`${BASE}${faces && `faces: ${faces}\n`}`, 'site.yaml')
const problems = (faces: string) => {
  try {
    load(faces)
  } catch (error) {
    if (error instanceof SiteError)
      return error.problems.map(({ line, path, code }) => `${line} ${path} ${code}`)
    throw error
  }
  return []
}

test('a site says who compares faces, and whose; else they are off', () => {
  expect(load('{ at: them, people: [anna, ben], sure: 0.95 }').faces).toEqual({
    destination: 'them',
    people: ['anna', 'ben'],
    sure: 0.95,
  })
  expect(load('{ at: them, people: [anna] }').faces?.sure).toBe(0.9)
  expect(load('').faces).toBeNull()
})

test.each([
  ['{ at: other, people: [ben] }', '5 faces.at unknown_destination'],
  ['{ at: gate, people: [ben] }', '5 faces.at wrong_value'],
  ['{ at: them, people: [ben, carl] }', '5 faces.people.1 unknown_person'],
])('it refuses %s', (faces, problem) => {
  expect(problems(faces)).toEqual([problem])
})

test.each([
  '{ at: them }',
  '{ people: [ben] }',
  '{ at: them, people: [] }',
  '{ at: them, people: ben }',
  '{ at: them, people: [ben], sure: 0.4 }',
  '{ at: them, people: [ben], sure: 1.1 }',
  '{ at: them, people: [ben], everyone: true }',
  'true',
])('it does not take %s', faces => {
  const found = problems(faces)
  expect(found.length).toBeGreaterThan(0)
  for (const problem of found) expect(problem).toMatch(/^5 faces/)
})

test('people are found as identities', () => {
  expect(problems('{ at: them, people: [ANNA] }')).toEqual([])
})

test('a workflow goes without the tool where faces are off, and is told so', () => {
  const yaml = `contract: workflow.v1
name: Who
when: { button: {} }
then:
  - ai: { mode: investigate, goal: Who is it?, tools: [recognize_faces], decision: [known, other], known: [], other: [], unsure: [] }
`
  const said = (site: Site) =>
    check(yaml, { site }).problems.flatMap(({ code, message }) =>
      code === 'tool_unavailable' ? [message] : [],
    )
  expect(said(load(''))).toEqual([
    'It goes without recognize_faces: faces are off at this site: name who compares them under faces.',
  ])
  expect(said(load('{ at: them, people: [ben] }'))).toEqual([])
})
