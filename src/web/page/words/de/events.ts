import type { events as en } from '../en/events.ts'

/** What starts a workflow, on its card. */
export const events: Record<keyof typeof en, string> = {
  from: 'von {cameras}',
  'picture.arrived.v1': 'Ein neues Bild',
  'plate.recognized.v1': 'Ein Kennzeichen wurde gelesen',
  'access.decided.v1': 'Ein Fahrzeug wurde eingelassen oder abgewiesen',
  'visit.recorded.v1': 'Ein Besuch wurde aufgezeichnet',
  'occupancy.changed.v1': 'Die Zahl der Anwesenden hat sich geändert',
  'detection.observed.v1': 'Etwas wird verfolgt',
  'alert.fired.v1': 'Ein Alarm wurde ausgelöst',
}
