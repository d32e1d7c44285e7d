import { condition } from '../../kind.ts'
import { closed, name, text } from '../params.ts'

export const inList = condition({
  kind: 'in_list',
  description: 'A value stands in a list of the site, compared exactly.',
  params: closed({
    list: name('The list.'),
    value: text('What is looked for, usually a placeholder such as "{plate}".', 200),
  }),
  needs: it => ({ lists: [it.list] }),
})
