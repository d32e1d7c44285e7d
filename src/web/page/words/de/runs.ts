import type { runs as en } from '../en/runs.ts'

/** Which runs are listed, and the way from one to the next. */
export const runs: Record<keyof typeof en, string> = {
  'runs.title': 'Vorgänge',
  'runs.workflow': 'Ablauf',
  'runs.camera': 'Kamera',
  'runs.what': 'Was geschah',
  'runs.state': 'Test oder An',
  'runs.decision': 'Entscheidung',
  'runs.since': 'Von',
  'runs.until': 'Bis',
  'runs.any': 'alle',
  'runs.acted': 'gemeldet, gefragt oder bewegt',
  'runs.failed': 'misslungen',
  'runs.unsure': 'unsicher',
  'runs.open': 'nicht beendet',
  'runs.clear': 'Alle zeigen',
  'runs.none': 'Kein Vorgang passt dazu.',
  'runs.found_one': '{n} Vorgang gezeigt',
  'runs.found_many': '{n} Vorgänge gezeigt',
  'trail.title': 'Andere Vorgänge der Liste',
  'trail.newer': 'Neuer',
  'trail.older': 'Älter',
  'mark.case':
    'Der Ablauf wird daran gemessen: Sind seine KI-Schritte geändert, werden bis zu 20 markierte Vorgänge noch einmal geprüft, bevor er eingeschaltet wird.',
}
