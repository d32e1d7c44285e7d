import type { update as en } from '../en/update.ts'

/** Updates: which release runs, which one there is, and how one is going on. */
export const update: Record<keyof typeof en, string> = {
  'update.title': 'Aktualisierung',
  'update.installed': 'Installiert',
  'update.newer': 'Neuer',
  'update.source': 'Quelle',
  'update.last': 'Letzte Aktualisierung',
  'update.problem': 'Nicht bekannt: {why}',
  'update.none': 'Keine, Stand {at}',
  'update.not_looked': 'Es hat noch niemand nachgesehen',
  'update.not_here':
    'Dieses Gatehouse wurde nicht mit install.sh installiert: Bitte auf dem Weg aktualisieren, auf dem es gestartet wurde.',
  'update.no_source': 'Die Standortdatei nennt keine, deshalb wird nicht nachgesehen.',
  'update.by_hand': 'installiert wird, wenn jemand es sagt',
  'update.nightly': 'installiert von selbst um {at}',
  'update.done': '{version} wurde installiert, {at}',
  'update.rolled_back': '{version} wurde zurückgenommen, {at}',
  'update.refused': '{version} wurde abgelehnt, {at}',
  'update.failed': '{version} ist gescheitert, {at}',
  'update.step_fetching': 'wird geholt und geprüft',
  'update.step_switching': 'wird eingesetzt',
  'update.step_watching': 'wird beobachtet',
  'update.step_back': 'wird zurückgenommen',
  'update.looking': 'Es wird nachgesehen',
  'update.asked': 'Gleich geht es los',
  'update.install': '{version} installieren',
  'update.look': 'Nach Neuerem sehen',
  'update.confirm': '{version} installieren?',
  'update.what':
    'Zuerst werden die Signatur geprüft und ein Bild damit angesehen. Dann ist die Box einige Sekunden fort; was läuft, geht danach weiter.',
  'update.back':
    'Geht es der Box damit nicht gut, kehrt sie von selbst zur jetzigen Version zurück, mitsamt ihren Daten.',
  'update.go': 'Installieren',
}
