import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { DRAFT } from '../schemas/index.ts'

/** A workflow out of a sentence. */
export function draftRoutes({ authoring }: WebDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/workflows/draft',
      permission: 'workflows.manage',
      summary: 'Draft a workflow from a sentence; stores nothing',
      body: { sentence: 'string' },
      answer: DRAFT,
      slow: true,
      handle: async ({ request, who }) => {
        const sentence = field(await readJsonBody(request, MAX_TEXT), 'sentence')
        if (typeof sentence !== 'string')
          throw new GatehouseError('bad_body', '`sentence` must be a text.', { status: 422 })
        const { yaml, problems, rounds, model } = await authoring.draft(sentence, request.signal, who.cameras)
        return json({ yaml, problems, rounds, model })
      },
    },
  ]
}
