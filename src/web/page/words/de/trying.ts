import type { trying as en } from '../en/trying.ts'

/** A draft on events of the past. */
export const trying: Record<keyof typeof en, string> = {
  'tryout.why':
    'Was Sie gerade schreiben, wird an den letzten Ereignissen probiert, gespeichert oder nicht. Nichts wird bewegt, niemand wird benachrichtigt.',
  'tryout.start': 'Probieren',
  'tryout.again': 'Noch einmal probieren',
  'tryout.stop': 'Anhalten',
  'tryout.starting': 'Ereignisse werden gesucht …',
  'tryout.progress': '{n} von {of}',
  'tryout.mend': 'Erst die Fehler beheben.',
  'tryout.stopped': 'Angehalten: Was bis dahin probiert war, steht unten.',
  'tryout.changed': 'Seitdem haben Sie etwas geändert: Probieren Sie es noch einmal.',
  'tryout.tried_one': '{n} Ereignis probiert.',
  'tryout.tried_many': '{n} Ereignisse probiert.',
  'tryout.same_one': '{n} Ereignis probiert: Es geht aus wie mit der gespeicherten Version.',
  'tryout.same_many': '{n} Ereignisse probiert: Alle gehen aus wie mit der gespeicherten Version.',
  'tryout.differ_one': '{n} von {of} geht anders aus als mit der gespeicherten Version.',
  'tryout.differ_many': '{n} von {of} gehen anders aus als mit der gespeicherten Version.',
  'tryout.differs': 'Anders',
  'tryout.was': 'war {what}',
  'tryout.is': 'ist {what}',
  'tryout.no_run': 'Kein Vorgang',
  'tryout.nothing': 'Tut nichts',
  'tryout.asks': 'Würde fragen: {message}',
  'tryout.then': 'Der Vorgang von damals',
  'tryout.how': 'Schritte',
  'tryout.none':
    'Noch ist nichts aufgehoben, worauf er wartet. Speichern Sie ihn, schalten Sie ihn auf Test und warten Sie auf ein Ereignis: Jedes, das kommt, kann hier probiert werden.',
  'tryout.none_new':
    'Speichern Sie ihn zuerst und starten Sie ihn einmal: Solche Ereignisse gehören ihm allein, und noch hat er keine.',
  'tryout.none_button':
    'Er wurde noch nie gedrückt. Drücken Sie ihn einmal auf seiner Seite, mit einem Bild, wenn er eines ansieht.',
  'tryout.none_webhook':
    'Noch kam nichts bei ihm an. Schicken Sie ihm einmal etwas, oder probieren Sie ihn auf seiner Seite mit einem Bild.',
  'tryout.none_schedule':
    'Seine Zeit ist noch nicht gekommen. Schalten Sie ihn auf Test und kommen Sie danach wieder.',
  'tryout.none_message': 'Noch hat ihm niemand geschrieben. Schreiben Sie ihm einmal auf seiner Seite.',
  'kept_out.guard': 'Eine seiner Bedingungen trifft nicht zu.',
  'kept_out.no_match': 'Es passt nicht zum Auslöser.',
  'kept_out.no_picture': 'Seine Bilder sind nicht mehr aufgehoben.',
  'kept_out.over_budget': 'Dafür war keine Zeit mehr: Probieren Sie es noch einmal.',
}
