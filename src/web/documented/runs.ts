import type { Document } from './form.ts'

/** What is wrong with what came: the event, or its pictures. */
export const DELIVERY = ['bad_event', 'not_a_picture', 'too_many_pictures', 'unknown_part']
const one = { path: { id: 1 } }
const cases = { path: { id: 'who-is-there' } }
const ofCase = { path: { id: 'who-is-there', case: 1 } }
const link = 'kq3V7u0dXk1nT5bYw9sRzA'

export const RUNS: Document = {
  'POST /api/v1/hooks/:id': {
    refuses: {
      400: ['bad_form', 'bad_delivery_id'],
      401: ['bad_signature'],
      403: ['not_from_there', 'egress_denied'],
      422: [...DELIVERY, 'picture_not_had'],
      503: ['hook_unready'],
    },
    examples: { event: { path: { id: 'Zk3Jp0vB2mQ8' }, body: { camera: 'gate' } } },
  },
  'POST /api/v1/events': {
    refuses: { 422: ['bad_event', 'bad_tracks'] },
    examples: {
      plate: {
        body: {
          schema: 'plate.recognized.v1',
          camera_id: 'gate',
          payload: { plate_text: 'AB12CDE', confidence: 0.97 },
        },
      },
    },
  },
  'GET /api/v1/runs': {
    examples: {
      latest: { query: { limit: '20' } },
      failed: { query: { status: 'failed,unknown', since: '2026-11-30T00:00:00Z' } },
    },
  },
  'GET /api/v1/workflows/:id/runs': {
    examples: { one: { path: { id: 'yard-watch' }, query: { state: 'on' } } },
  },
  'GET /api/v1/runs/:id': { examples: { one } },
  'POST /api/v1/runs/:id/stop': {
    refuses: { 404: ['run_unknown'], 409: ['run_ended'] },
    examples: { one },
  },
  'POST /api/v1/runs/:id/settle': {
    refuses: { 404: ['run_unknown'], 409: ['nothing_unknown', 'which_move'] },
    examples: { happened: { ...one, body: { happened: true } } },
  },
  'POST /api/v1/runs/:id/release': {
    refuses: { 409: ['not_held'] },
    examples: { leave: { ...one, body: { do: false } } },
  },
  'GET /api/v1/runs/:id/reply': {
    refuses: { 404: ['run_unknown'], 409: ['not_a_message'], 503: ['busy'] },
    examples: { wait: { ...one, query: { wait: '20s' } } },
  },
  'POST /api/v1/workflows/runs/:id/mark': {
    refuses: { 404: ['run_unknown'], 409: ['run_not_ended'], 422: ['note_too_long'] },
    examples: {
      right: { ...one, body: { right: true } },
      wrong: { ...one, body: { right: false, note: 'A cat.' } },
    },
  },
  'POST /api/v1/runs/:id/case': {
    refuses: {
      403: ['out_of_scope'],
      404: ['run_unknown', 'workflow_unknown'],
      409: ['run_not_ended', 'no_decision', 'no_picture', 'cases_full', 'version_broken'],
      422: ['not_an_answer', 'note_too_long'],
    },
    examples: { right: { ...one, body: { expected: 'person', note: 'Half hidden behind the van.' } } },
  },
  'GET /api/v1/workflows/:id/cases': { examples: { one: cases } },
  'GET /api/v1/workflows/:id/cases/:case/picture': { examples: { one: ofCase } },
  'POST /api/v1/workflows/:id/cases/try': { refuses: { 409: ['try_busy'] }, examples: { all: cases } },
  'GET /api/v1/workflows/:id/cases/export': { refuses: { 403: ['out_of_scope'] }, examples: { all: cases } },
  'DELETE /api/v1/workflows/:id/cases/:case': {
    refuses: { 404: ['case_unknown'] },
    examples: { one: ofCase },
  },
  'GET /api/v1/approvals': { examples: { open: { query: { open: 'true' } } } },
  'POST /api/v1/approvals/:id': {
    refuses: {
      403: ['not_identified'],
      404: ['approval_unknown'],
      409: ['already_decided'],
      422: ['bad_reply'],
    },
    examples: { yes: { ...one, body: { reply: 'Open' } } },
  },
  'POST /api/v1/answer/question': {
    refuses: { 404: ['link_unknown', 'not_found'], 429: ['locked_out'] },
    examples: { look: { body: { link } } },
  },
  'POST /api/v1/answer': {
    refuses: {
      404: ['link_unknown', 'approval_unknown'],
      409: ['already_decided'],
      422: ['bad_reply'],
      429: ['locked_out'],
    },
    examples: { reply: { body: { link, reply: 'Open' } } },
  },
  'GET /api/v1/notices': {
    examples: {
      latest: { query: { limit: '20' } },
      open: { query: { unsettled: 'true', severity: 'high,critical' } },
    },
  },
  'GET /api/v1/media/:id': { refuses: { 416: ['no_such_range'] }, examples: { picture: one } },
  'GET /api/v1/stream': { refuses: { 503: ['too_many_streams'] }, examples: { follow: {} } },
}
