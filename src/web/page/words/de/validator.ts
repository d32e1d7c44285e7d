import type { validator as en } from '../en/validator.ts'

/** The validator: a page of its own, for whoever has a file and no box. */
export const validator: Record<keyof typeof en, string> = {
  title: 'Prüfer für Abläufe',
  about:
    'Prüft eine Datei im Format workflow.v1 in diesem Browser. Nichts wird gesendet: Die Seite geht ohne Netz und ohne Box.',
  file: 'Die Datei',
  paste: 'Fügen Sie unten eine Datei ein, ziehen Sie eine auf diese Seite oder wählen Sie eine aus:',
  choose: 'Datei auswählen',
  example: 'Beispiel zeigen',
  copy: 'Datei kopieren',
  copied: 'Kopiert.',
  not_copied: 'Der Browser lässt es nicht zu: Markieren und kopieren Sie den Text von Hand.',
  large: 'Das ist größer als {kb} kB: So eine Datei nimmt keine Box.',
  not_text: 'Das ist kein Text in UTF-8.',
  took: '{name} wurde übernommen.',
  holds: 'Sie gilt.',
  holds_but: 'Sie gilt; sehen Sie sich die Hinweise an.',
  errors_one: 'Sie gilt nicht: ein Fehler.',
  errors_many: 'Sie gilt nicht: {n} Fehler.',
  does: 'Was sie tun würde',
  does_why:
    'Eine Box sagt es noch einmal für ihren Standort, wo die Klassen von Zielen und Apps bekannt sind.',
  flow: 'Wie sie abläuft',
  broken: 'Sobald die Fehler behoben sind, wird die Datei hier gezeichnet.',
}
