import type { Document } from './form.ts'
import { DELIVERY } from './runs.ts'

const FILE = `contract: workflow.v1
name: Yard at night
state: test
when:
  event: { schema: picture.arrived.v1, cameras: [yard] }
if:
  - time: { from: "22:00", to: "06:00" }
then:
  - alert: { severity: low, title: "Something moves at {camera_name}" }
`

const one = { path: { id: 'yard-watch' } }
/** A file that does not hold here, and one that somebody may not store. */
const stores = {
  403: ['admin_needed', 'out_of_scope'],
  409: ['name_taken', 'changed_meanwhile'],
  422: ['bad_workflow'],
}

export const WORKFLOWS: Document = {
  'GET /api/v1/workflows': { examples: { all: {} } },
  'POST /api/v1/workflows': {
    refuses: stores,
    examples: { yaml: { body: FILE }, copy: { query: { copy: '1' }, body: FILE } },
  },
  'GET /api/v1/workflows/registry': { examples: { all: {} } },
  'GET /api/v1/workflows/names': { examples: { all: {} } },
  'GET /api/v1/workflows/schema': { examples: { all: {} } },
  'GET /api/v1/workflows/templates': { examples: { all: {} } },
  'POST /api/v1/workflows/validate': {
    examples: { good: { body: FILE }, broken: { body: 'contract: workflow.v1\nname: Half a file\n' } },
  },
  'POST /api/v1/workflows/import': {
    refuses: stores,
    examples: {
      look: { body: FILE },
      renamed: { body: { yaml: FILE, names: { cameras: { yard: 'gate' } } } },
      store: { query: { save: 'true', copy: '1' }, body: FILE },
    },
  },
  'POST /api/v1/workflows/draft': {
    refuses: { 409: ['draft_busy'], 422: ['bad_sentence'], 503: ['llm_down', 'not_passed'] },
    examples: { sentence: { body: { sentence: 'Tell the guard when a van stops at the gate by night.' } } },
  },
  'GET /api/v1/workflows/:id': { examples: { slug: one, number: { path: { id: 1 } } } },
  'PUT /api/v1/workflows/:id': {
    refuses: stores,
    examples: { yaml: { ...one, body: FILE }, over: { ...one, query: { over: '2' }, body: FILE } },
  },
  'GET /api/v1/workflows/:id/outline': { refuses: { 409: ['version_broken'] }, examples: { one } },
  'GET /api/v1/workflows/:id/export': { refuses: { 409: ['version_broken'] }, examples: { one } },
  'GET /api/v1/workflows/:id/versions': { examples: { one } },
  'GET /api/v1/workflows/:id/versions/:version': {
    refuses: { 404: ['version_unknown'] },
    examples: { first: { path: { id: 'yard-watch', version: 1 } } },
  },
  'POST /api/v1/workflows/:id/rollback': {
    refuses: { ...stores, 404: ['version_unknown'] },
    examples: { first: { ...one, body: { version: 1 } } },
  },
  'POST /api/v1/workflows/:id/state': {
    refuses: {
      403: ['admin_needed', 'out_of_scope'],
      409: ['changed_meanwhile', 'cases_flipped', 'try_busy'],
      422: ['bad_state', 'bad_workflow'],
    },
    examples: {
      on: { ...one, query: { confirm: 'true' }, body: { state: 'on' } },
      off: { ...one, body: { state: 'off' } },
    },
  },
  'POST /api/v1/workflows/:id/snooze': {
    refuses: { 403: ['out_of_scope'], 422: ['bad_duration'] },
    examples: { 'two hours': { ...one, body: { for: '2h' } }, end: { ...one, body: { for: null } } },
  },
  'POST /api/v1/workflows/try': {
    refuses: { 403: ['admin_needed', 'out_of_scope'], 409: ['try_busy'], 422: ['bad_workflow'] },
    streams: 'application/x-ndjson',
    examples: { yaml: { body: FILE }, watched: { query: { watch: 'true' }, body: FILE } },
  },
  'POST /api/v1/workflows/:id/try': {
    streams: 'application/x-ndjson',
    refuses: { 403: ['admin_needed', 'out_of_scope'], 409: ['try_busy'], 422: ['bad_workflow'] },
    examples: { stored: one, draft: { ...one, body: FILE } },
  },
  'POST /api/v1/workflows/:id/press': {
    refuses: {
      400: ['bad_form', 'bad_delivery_id'],
      403: ['out_of_scope'],
      409: ['not_a_button'],
      422: DELIVERY,
    },
    examples: { press: { path: { id: 'open-the-gate' }, body: { camera: 'gate' } } },
  },
  'POST /api/v1/workflows/:id/message': {
    refuses: { 400: ['bad_delivery_id'], 409: ['no_messages'], 422: ['bad_event'] },
    examples: {
      question: {
        path: { id: 'porter' },
        body: { text: 'Is somebody in the yard?', from: 'Bo', channel: 'chat' },
      },
    },
  },
  'DELETE /api/v1/workflows/:id': {
    refuses: { 403: ['out_of_scope'] },
    examples: { one: { path: { id: 'yard-at-night' } } },
  },
}
