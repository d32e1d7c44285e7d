import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { MODE } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/** The mode that the site is in. */
export function modeRoutes({ siteMode, engine }: WebDeps): Route[] {
  const view = () => ({ mode: siteMode.get(), modes: siteMode.modes, kept_by: siteMode.keptBy })
  return [
    {
      method: 'GET',
      path: '/api/v1/system/mode',
      permission: 'workflows.view',
      summary: 'The mode that the site is in, and those that it has',
      answer: MODE,
      handle: () => json(view()),
    },
    {
      method: 'PUT',
      path: '/api/v1/system/mode',
      permission: 'site.mode',
      summary: 'Set the mode of the site; for whoever sees all cameras',
      body: { mode: 'string' },
      answer: MODE,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        const mode = field(await readJsonBody(request, MAX_TEXT), 'mode')
        await siteMode.set(typeof mode === 'string' ? mode : '', who.author)
        return json(view())
      },
    },
  ]
}
