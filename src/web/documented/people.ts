import type { Document } from './form.ts'

const one = { path: { id: 2 } }
const password = 'four words in a row'
/** Of somebody's name, password, role and cameras. */
const named = ['bad_name', 'bad_password', 'bad_role', 'bad_cameras']
const login = { 429: ['locked_out'], 503: ['busy'] }

export const PEOPLE: Document = {
  'GET /api/v1/session': { examples: { me: {} } },
  'POST /api/v1/session/claim': {
    refuses: { ...login, 403: ['wrong_code', 'cross_site'], 409: ['claimed', 'name_taken'], 422: named },
    examples: { first: { body: { code: '7KQ2-M9XT-4BHW', name: 'Anna', password } } },
  },
  'POST /api/v1/session/login': {
    refuses: { ...login, 401: ['wrong_login'] },
    examples: { in: { body: { name: 'Anna', password } } },
  },
  'POST /api/v1/session/renew': { refuses: { 403: ['not_here'] }, examples: { keep: {} } },
  'PUT /api/v1/session/password': {
    refuses: { ...login, 403: ['wrong_login', 'not_here'], 404: ['user_unknown'], 422: ['bad_password'] },
    examples: { other: { body: { password, next: 'five other words in a row' } } },
  },
  'GET /api/v1/sessions': { examples: { mine: {} } },
  'DELETE /api/v1/sessions/:id': {
    refuses: { 404: ['session_unknown'] },
    examples: { one: { path: { id: 1 } } },
  },
  'GET /api/v1/tokens': { examples: { mine: {}, all: { query: { all: 'true' } } } },
  'POST /api/v1/tokens': {
    refuses: {
      404: ['user_unknown'],
      409: ['too_many'],
      422: ['bad_user', 'bad_token_name', 'bad_scopes', 'bad_days'],
    },
    examples: {
      year: { body: { name: 'Home Assistant', scopes: ['read', 'approve'], days: 365 } },
    },
  },
  'DELETE /api/v1/tokens/:id': {
    refuses: { 404: ['token_unknown'] },
    examples: { one: { path: { id: 1 } } },
  },
  'GET /api/v1/users': { examples: { all: {} } },
  'POST /api/v1/users': {
    refuses: { ...login, 409: ['name_taken', 'too_many'], 422: named },
    examples: { operator: { body: { name: 'Bob', role: 'operator', cameras: ['yard'], password } } },
  },
  'PUT /api/v1/users/:id': {
    refuses: { 404: ['user_unknown'], 409: ['last_admin'], 422: named },
    examples: { viewer: { ...one, body: { role: 'viewer', cameras: null } } },
  },
  'PUT /api/v1/users/:id/password': {
    refuses: { ...login, 404: ['user_unknown'], 422: ['bad_password'] },
    examples: { other: { ...one, body: { password: 'some quite different words' } } },
  },
  'POST /api/v1/users/:id/unlock': { refuses: { 404: ['user_unknown'] }, examples: { one } },
  'DELETE /api/v1/users/:id': {
    refuses: { 404: ['user_unknown'], 409: ['last_admin'] },
    examples: { one },
  },
  'POST /api/v1/session/logout': { refuses: { 404: ['session_unknown'] }, examples: { out: {} } },
}
