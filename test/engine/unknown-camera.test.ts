import { afterEach, beforeEach, expect, test } from 'vitest'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

const file = `
contract: workflow.v1
name: Rang
limits: { cooldown: 0s }
when: { webhook: {} }
then: [ log: "{camera}" ]
`
let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

test('an event of a camera that the site does not have counts, and it is said in the answer and in the run', async () => {
  const id = await box.save(file)
  const rang = async (camera: string | null) => {
    const [admission] = await box.engine.submit(box.hook(id, {}, camera))
    if (!admission?.run) throw new Error(JSON.stringify(admission))
    const { note, status } = await box.ended(admission.run)
    expect(status).toBe('done')
    return [admission.note, note]
  }
  expect(await rang('gaet')).toEqual([
    'This site has no camera “gaet”: check the name, or add it to site.yaml.',
    'The site had no camera “gaet” then.',
  ])
  expect((await rang('yard'))[0]).toBe('This site has no camera “yard”: it is the role of yard-1: name that.')
  expect(await rang('gate')).toEqual([undefined, null])
  expect(await rang(null)).toEqual([undefined, null])
  box.site = Site.load('people: { ann: { roles: [guard] } }', 'site.yaml')
  expect(await rang('gaet')).toEqual([undefined, null])
})
