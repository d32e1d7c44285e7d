import type { cases as en } from '../en/cases.ts'

/** Cases: runs with the answer that is right. */
export const cases: Record<keyof typeof en, string> = {
  'cases.right': 'Was wäre richtig gewesen?',
  'cases.came': '(so hat er entschieden)',
  'cases.note': 'Warum, in wenigen Worten (freiwillig)',
  'cases.kept':
    'Seine Bilder bleiben dann so lange gespeichert, wie es ein Fall ist, länger als jeder Vorgang. Machen Sie nur zum Fall, was gespeichert bleiben darf.',
  'cases.make': 'Zum Fall machen',
  'cases.change': 'Ändern, was richtig ist',
  'cases.no_more': 'Ist kein Fall mehr',
  'cases.made': 'Das ist jetzt ein Fall von {name}.',
  'cases.removed': 'Das ist kein Fall mehr.',
  'cases.see': 'Alle ansehen',
  'cases.none':
    'Noch keine Fälle. Auf der Seite eines Vorgangs merkt „Zum Fall machen“ ihn mit der richtigen Antwort vor; bevor dieser Ablauf auf An geht, wird er wieder probiert.',
  'cases.why':
    'Sie werden probiert, bevor dieser Ablauf auf An geht. Ihre Bilder bleiben gespeichert, solange sie Fälle sind.',
  'cases.try': 'Alle probieren',
  'cases.trying': 'Probierte Fälle',
  'cases.stop': 'Anhalten',
  'cases.tried_one': '{n} probiert: {right} richtig.',
  'cases.tried_many': '{n} probiert: {right} richtig.',
  'cases.download': 'Für eine Auswertung herunterladen',
  'cases.should': 'Soll sein: {what}',
  'cases.is_right': 'Richtig',
  'cases.is_wrong': 'Falsch',
  'cases.last': 'Zuletzt: {what}',
  'cases.nothing': 'nichts',
  'cases.never': 'Noch nicht probiert',
  'cases.version': '(Version {n})',
  'cases.by': 'sagt {by}',
  'cases.run': 'Sein Vorgang',
  'cases.remove': 'Entfernen',
  'cases.remove_of': 'Den Fall von {at} entfernen',
  'cases.sure': 'Seine Bilder gehen mit. Wirklich entfernen?',
  'cases.keep': 'Behalten',
}
