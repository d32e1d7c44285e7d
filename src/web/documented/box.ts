import type { Document } from './form.ts'

const residents = { path: { file: 'residents.csv' } }

export const BOX: Document = {
  'GET /api/v1/site-rules': { examples: { all: {}, short: { query: { without: 'lists' } } } },
  'PUT /api/v1/site-rules': {
    refuses: { 409: ['rules_changed'], 422: ['rules_invalid'] },
    examples: { facts: { body: { set: { facts: 'The gate opens inward.' } } } },
  },
  'PUT /api/v1/site-rules/parts/:part': {
    refuses: { 409: ['rules_changed'], 422: ['rules_invalid'] },
    examples: { tools: { path: { part: 'tools' }, body: { value: { search_footage: 'ask' } } } },
  },
  'GET /api/v1/site-rules/versions': { examples: { all: {} } },
  'GET /api/v1/site-rules/versions/:version': { examples: { first: { path: { version: 1 } } } },
  'POST /api/v1/site-rules/rollback': {
    refuses: { 404: ['not_kept'], 409: ['rules_changed'], 422: ['rules_invalid'] },
    examples: { first: { body: { to: 1 } } },
  },
  'PUT /api/v1/site-rules/lists/:file': {
    refuses: { 409: ['rules_changed'], 422: ['csv_invalid', 'rules_invalid', 'empty_file'] },
    examples: {
      look: { ...residents, query: { preview: 'true' }, body: 'value\nAB12CDE\n' },
      two: { ...residents, body: 'value,note\nAB12CDE,flat 1\nXY34ZZZ,\n' },
    },
  },
  'GET /api/v1/site-rules/lists/:file': { examples: { one: residents } },
  'DELETE /api/v1/site-rules/lists/:file': {
    refuses: { 404: ['not_set'], 409: ['rules_changed'] },
    examples: { one: residents },
  },
  'GET /api/v1/site-rules/entries/:list': { examples: { one: { path: { list: 'residents' } } } },
  'PUT /api/v1/site-rules/entries/:list': {
    refuses: { 409: ['rules_changed'], 422: ['bad_body', 'csv_invalid', 'rules_invalid'] },
    examples: {
      two: {
        path: { list: 'residents' },
        body: { entries: ['AB12CDE', { value: 'XY34ZZZ', note: 'flat 1' }] },
      },
    },
  },
  'POST /api/v1/site/channels/:name/test': {
    refuses: { 404: ['channel_unknown'] },
    examples: { push: { path: { name: 'push' } } },
  },
  'POST /api/v1/site/destinations/:name/test': {
    refuses: { 404: ['destination_unknown'] },
    examples: { chat: { path: { name: 'chat' } } },
  },
  'POST /api/v1/site/cameras/:id/test': {
    refuses: { 404: ['camera_unknown'] },
    examples: { yard: { path: { id: 'yard' } } },
  },
  'GET /api/v1/cameras/:id/picture': {
    refuses: { 404: ['camera_unknown'], 502: ['camera_offline'], 503: ['busy', 'camera_masked'] },
    examples: { yard: { path: { id: 'yard' }, query: { size: 'large' } } },
  },
  'POST /api/v1/site/cameras/try': {
    refuses: { 422: ['rules_invalid'], 503: ['busy'] },
    examples: {
      new: { body: { id: 'shed', camera: { source: { folder: 'shed' } } } },
      password: {
        body: {
          id: 'shed',
          camera: { source: { snapshot: { url: 'http://127.0.0.1:9/snap.jpg', user: 'box' } } },
          password: 'four words in a row',
        },
      },
    },
  },
  'POST /api/v1/site/cameras/password': { examples: { one: { body: { password: 'four words in a row' } } } },
  'GET /api/v1/site/cameras/offered': { refuses: { 409: ['not_possible'] }, examples: { all: {} } },
  'POST /api/v1/site/cameras/discover': { refuses: { 503: ['busy'] }, examples: { all: {} } },
  'GET /api/v1/audit': { examples: { latest: { query: { limit: '20' } } } },
  'GET /api/v1/system/mode': { examples: { now: {} } },
  'PUT /api/v1/system/mode': {
    refuses: { 400: ['mode_unknown'], 403: ['out_of_scope'] },
    examples: { away: { body: { mode: 'armed_away' } } },
  },
  'GET /api/v1/system/pause': { examples: { all: {} } },
  'PUT /api/v1/system/pause': {
    refuses: { 403: ['out_of_scope'] },
    examples: { hold: { body: { paused: true } }, lift: { body: { paused: false } } },
  },
  'POST /api/v1/cameras/:id/snooze': {
    refuses: { 404: ['camera_unknown'], 422: ['bad_duration'] },
    examples: { 'two hours': { path: { id: 'yard' }, body: { for: '2h' } } },
  },
  'GET /api/v1/system/http': { examples: { now: {} } },
  'PUT /api/v1/system/http': {
    refuses: { 409: ['pinned', 'port_busy', 'cannot_listen'], 422: ['bad_http', 'bad_certificate'] },
    examples: { network: { body: { host: '0.0.0.0', port: 8443, https: 'own' } } },
  },
  'POST /api/v1/system/http/confirm': { refuses: { 409: ['no_trial'] }, examples: { keep: {} } },
  'GET /api/v1/system/health': { examples: { now: {} } },
  'GET /api/v1/system/hardware': { examples: { now: {} } },
  'GET /api/v1/system/checkup': { examples: { now: {} } },
  'GET /api/v1/system/models': { examples: { now: {} } },
  'GET /api/v1/openapi.json': { examples: { all: {} } },
  'GET /metrics': { examples: { now: {} } },
  'GET /health': { examples: { now: {} } },
  'GET /ready': { also: 503, examples: { now: {} } },
}
