import type { Document } from './form.ts'

const SPAN = { from: '2026-11-01T14:00', until: '2026-11-01T14:30', camera: 'yard' }
const WHOLE = { 403: ['out_of_scope'] }
const PASSPHRASE = 'five words that nobody guesses'

export const CARE: Document = {
  'GET /api/v1/system/update': { examples: { now: {} } },
  'POST /api/v1/system/update': {
    refuses: { 409: ['not_possible'] },
    examples: { look: { body: { do: 'check' } }, install: { body: { do: 'install' } } },
  },
  'GET /api/v1/system/machine': { refuses: WHOLE, examples: { now: {} } },
  'GET /api/v1/system/log': {
    refuses: WHOLE,
    examples: { latest: {}, filtered: { query: { level: 'warn', text: 'camera', limit: '50', after: '0' } } },
  },
  'GET /api/v1/system/log/file': { refuses: WHOLE, examples: { all: {} } },
  'GET /api/v1/system/backups': { examples: { all: {} } },
  'POST /api/v1/system/backup': {
    refuses: { ...WHOLE, 409: ['backup_busy'], 500: ['backup_failed'] },
    examples: { encrypted: { body: { passphrase: PASSPHRASE } }, small: { body: { pictures: false } } },
  },
  'PUT /api/v1/system/restore': {
    refuses: { ...WHOLE, 409: ['backup_busy'], 507: ['disk_full'] },
    examples: { one: { body: 'the bytes of a backup' } },
  },
  'POST /api/v1/system/restore': {
    refuses: { ...WHOLE, 409: ['backup_busy', 'no_backup', 'no_restart'], 422: ['bad_backup'] },
    examples: { look: { body: { passphrase: PASSPHRASE } } },
  },
  'POST /api/v1/system/bundle': { refuses: WHOLE, examples: { one: {} } },
  'POST /api/v1/system/safe-mode/leave': { examples: { now: {} } },
  'POST /api/v1/privacy/forget/preview': {
    refuses: WHOLE,
    examples: { plate: { body: { plate: 'B-AB 123' } }, span: { body: SPAN } },
  },
  'POST /api/v1/privacy/forget': {
    refuses: { ...WHOLE, 409: ['forgetting', 'on_trial', 'unconfirmed'] },
    examples: { span: { body: { ...SPAN, confirmed: true } } },
  },
}
