/** What the box says of workflows and their runs. */
export const running = {
  'The box went back to its state of {1}: what it had begun by then is over, what it did since is not known.':
    'Die Box ging auf ihren Stand von {1} zurück: Was bis dahin begonnen war, ist vorbei; was sie seither tat, ist nicht bekannt.',
  '{1?} It is now as it was at {2}; what was set, asked and decided since is lost, and everybody has to sign in again.{3} Look through the workflows, users and tokens, then let moves go on: they are paused.':
    '{1} Sie ist nun, wie sie am {2} war; was seither eingestellt, gefragt und entschieden wurde, ist verloren, und alle müssen sich neu anmelden.{3} Sehen Sie Abläufe, Benutzer und Tokens durch, dann lassen Sie Bewegungen wieder zu: Sie sind angehalten.',
  'There is no workflow {1}.': 'Einen Ablauf {1} gibt es nicht.',
  'There is no run {1}.': 'Einen Vorgang {1} gibt es nicht.',
  'There is no camera {1}.': 'Eine Kamera {1} gibt es nicht.',
  'There is no question {1}.': 'Eine Frage {1} gibt es nicht.',
  'The version that ran is not understood any more.': 'Die Version, die lief, wird nicht mehr verstanden.',
  '{1?} PUT /api/v1/workflows/{2} makes this a new version of it, ?copy=1 a second workflow.':
    '{1} PUT /api/v1/workflows/{2} macht daraus eine neue Version, ?copy=1 einen zweiten Ablauf.',
  'PUT /api/v1/workflows/{1} makes this a new version of it, ?copy=1 a second workflow.':
    'PUT /api/v1/workflows/{1} macht daraus eine neue Version, ?copy=1 einen zweiten Ablauf.',
  'What stood in its way is gone.': 'Was im Weg stand, ist weg.',
  'The stored file is not understood by this version: save it again.':
    'Diese Version versteht die gespeicherte Datei nicht: Speichern Sie sie neu.',
  'The stored file is not understood: save it again.':
    'Die gespeicherte Datei wird nicht verstanden: Speichern Sie sie neu.',
  'It cannot be run here: {1?}.': 'Er kann hier nicht laufen: {1}.',
  'It cannot be run here: {1?}. It can be stored, and waits.':
    'Er kann hier nicht laufen: {1}. Speichern lässt er sich, und wartet.',
  'At this site line {1} does not hold: {2?}': 'An diesem Standort gilt Zeile {1} nicht: {2}',
  'The site had no camera “{1}” then.': 'Damals hatte der Standort keine Kamera „{1}“.',
  'This site has no camera “{1}”: {2?}.': 'Dieser Standort hat keine Kamera „{1}“: {2}.',
  '{1} for {2} minutes: {3?}. It goes on by itself when that is mended.':
    '{1} seit {2} Minuten: {3}. Es geht von selbst weiter, wenn das behoben ist.',
  'The box stopped during the call: nobody knows what came of it, and nobody is called again for it.':
    'Die Box blieb während des Anrufs stehen: Niemand weiß, was daraus wurde, und niemand wird dafür noch einmal angerufen.',
  'It was saved meanwhile: version {1} is in force, yours was made from version {2}.':
    'Inzwischen wurde gespeichert: In Kraft ist Version {1}, Ihre entstand aus Version {2}.',
  '{1?} Nothing was saved: compare the two, then save again.':
    '{1} Nichts wurde gespeichert: Vergleichen Sie beide, dann speichern Sie noch einmal.',
  '{1} waits its turn already.': '{1} wartet schon, bis es an der Reihe ist.',
  '{1} presses wait for this run already.': '{1} Drücke warten schon auf diesen Vorgang.',
  '{1} is running: this starts by itself when that run has ended.':
    '{1} läuft gerade: Dies startet von selbst, wenn der Vorgang zu Ende ist.',
  'This event was taken before.': 'Dieses Ereignis wurde schon angenommen.',
  'This time was taken before.': 'Diese Zeit wurde schon angenommen.',
  '{1} runs are at work: this one was left out.': '{1} Vorgänge laufen schon: Dieser wurde ausgelassen.',
  'What was to be sent cannot be read any more.': 'Was geschickt werden sollte, ist nicht mehr zu lesen.',
  'The run was stopped.': 'Der Vorgang wurde beendet.',
  'It could not be sent for an hour and is not sent any more.':
    'Es ließ sich eine Stunde lang nicht senden und wird nicht mehr gesendet.',
  'What it goes to moves something by now: not sent any more.':
    'Wohin es geht, bewegt inzwischen etwas: Es wird nicht mehr gesendet.',
  'Nobody took the call.': 'Niemand nahm den Anruf an.',
  'It came to something that is none of the outcomes.': 'Es kam etwas heraus, das keines der Ergebnisse ist.',
  'It broke off.': 'Es brach ab.',
  'It goes without {1}: {2?}.': 'Es geht ohne {1}: {2}.',
  'What AI decides is looked at in Test first: it arrives in Test, set it On when you have seen it.':
    'Was KI entscheidet, wird erst im Test angesehen: Er kommt im Test an; schalten Sie ihn An, wenn Sie ihn gesehen haben.',
  'Run {1} holds no move{2}.': 'Vorgang {1} hält keine Bewegung an{2}.',
  'A snooze lasts at most 31 days: switch it Off instead.':
    'Ruhen kann er höchstens 31 Tage: Schalten Sie ihn stattdessen Aus.',
  'What it goes to moves something by now, and nothing guards that: it was not done.':
    'Wohin es geht, bewegt inzwischen etwas, und nichts bewacht das: Es wurde nicht getan.',
  'Nothing that guards this move holds in this run: a person would have to be asked.':
    'Nichts, was diese Bewegung bewacht, gilt in diesem Vorgang: Es müsste jemand gefragt werden.',
  'The identity that guards this move does not hold any more.':
    'Die Identität, die diese Bewegung bewacht, gilt nicht mehr.',
  '{1} is not On any more.': '{1} ist nicht mehr An.',
  '{1} stands still: {2?}': '{1} steht still: {2}',
  'The run was stopped before the move.': 'Der Vorgang wurde vor der Bewegung beendet.',
  'So nothing was moved.': 'Also wurde nichts bewegt.',
  '{1?} So nothing was moved.': '{1} Also wurde nichts bewegt.',
  'The move was due {1} s earlier and was not made: do it by hand if it is still wanted.':
    'Die Bewegung war {1} s früher fällig und wurde nicht ausgeführt: Tun Sie es von Hand, wenn sie noch gewünscht ist.',
  'Nobody answered “{1}”.': 'Niemand hat „{1}“ geantwortet.',
  'Nobody knows who answered: sign in to answer what moves something.':
    'Niemand weiß, wer geantwortet hat: Melden Sie sich an, wo eine Antwort etwas bewegt.',
  'The answer is older than 15 minutes: it does not count any more.':
    'Die Antwort ist älter als 15 Minuten: Sie zählt nicht mehr.',
  'Whoever answered was not told of this move.': 'Wer geantwortet hat, wusste von dieser Bewegung nichts.',
  'Nobody knows who pressed: sign in to press a button that moves something.':
    'Niemand weiß, wer gedrückt hat: Melden Sie sich an, wo ein Knopf etwas bewegt.',
  'Missed: it was due at {1} and could not begin before {2}, later than its grace allows.':
    'Verpasst: Er war um {1} fällig und konnte nicht vor {2} beginnen, später als erlaubt.',
  'What started this has no camera: name one under camera.':
    'Was ihn startete, hat keine Kamera: Nennen Sie eine unter camera.',
  'No camera bears the role {1}.': 'Keine Kamera hat die Rolle {1}.',
  'The box stopped while this was being done: look whether it happened, then say so.':
    'Die Box blieb stehen, während dies getan wurde: Sehen Sie nach, ob es geschah, und sagen Sie es.',
  'What is stored of {1} cannot be read: the database was damaged, or changed from outside.':
    'Was von {1} gespeichert ist, lässt sich nicht lesen: Die Datenbank wurde beschädigt oder von außen geändert.',
  '{1?} Look at what the run did, and start it again if need be.':
    '{1} Sehen Sie an, was der Vorgang tat, und starten Sie ihn wenn nötig neu.',
  '{1} is not started by this: it waits for {2?}.': '{1} startet dadurch nicht: Er wartet auf {2}.',
  'The event is {1} s {2?}; at most {3} s are taken.':
    'Das Ereignis liegt {1} s {2}; höchstens {3} s werden angenommen.',
  '{1} is snoozed for another {2} min.': '{1} ruht noch {2} min.',
  '{1} caused this itself.': '{1} hat das selbst ausgelöst.',
  '{1} workflows led here already; {2} are the most.':
    'Schon {1} Abläufe führten hierher; mehr als {2} dürfen es nicht sein.',
  'The conditions of the file do not hold.': 'Die Bedingungen der Datei gelten nicht.',
  'A run of {1} is going on{2}.': 'Ein Vorgang von {1} läuft gerade{2}.',
  '{1} ran a moment ago; again in {2} s.': '{1} lief gerade erst; wieder in {2} s.',
  '{1} ran {2} times in an hour.': '{1} lief {2}-mal in einer Stunde.',
  '{1}, and not this one.': '{1}, und dieser nicht.',
  '{1}: {2?}. An admin may save it again.': '{1}: {2}. Ein Admin kann ihn neu speichern.',
  'Answer with one of {1}.': 'Antworten Sie mit einem von {1}.',
  'Run {1} of {2} waits for an answer about another one, {3}.{4?}':
    'Vorgang {1} von {2} wartet auf eine Antwort zu einem anderen, {3}.{4}',
  'Run {1} of {2} asks about this already: it was counted there.':
    'Vorgang {1} von {2} fragt schon danach: Es wurde dort gezählt.',
  '{1} answered “{2}”{3}: the first answer counts.': '{1} hat „{2}“ geantwortet{3}: Die erste Antwort zählt.',
  'The run was stopped{1}, before anybody answered.':
    'Der Vorgang wurde beendet{1}, bevor jemand antwortete.',
  'The time is up: nobody had answered.': 'Die Zeit ist um: Niemand hatte geantwortet.',
  'The time is up: nobody had answered, so “{1}” counts.':
    'Die Zeit ist um: Niemand hatte geantwortet, also gilt „{1}“.',
  'It was wrong since the start. What was noted meanwhile bears the wrong time.':
    'Sie ging seit dem Start falsch. Was inzwischen notiert wurde, trägt die falsche Zeit.',
  'Waits, questions and sessions last as long as before; schedules follow the new time. Look whether it is right.':
    'Warten, Fragen und Sitzungen dauern so lange wie zuvor; Zeitpläne folgen der neuen Zeit. Sehen Sie nach, ob sie stimmt.',
  'The clock was set {1?}': 'Die Uhr wurde gestellt: {1}',
  'Run {1} has no move to settle.': 'Vorgang {1} hat keine Bewegung, die zu klären ist.',
  'Name the step of run {1} that is settled: one of {2}.':
    'Nennen Sie den Schritt von Vorgang {1}, der geklärt ist: einen von {2}.',
  '{1} says that it happened.': '{1} sagt, dass es geschah.',
  '{1} says that it did not happen.': '{1} sagt, dass es nicht geschah.',
  'It takes {1} s or more on this box (measured {2}) and may take {3} s: it would end as unsure; {4?}.':
    'Er dauert auf dieser Box {1} s oder länger (gemessen {2}) und darf {3} s dauern: Er endete als unsicher; {4}.',
  'A message was lost: {1?}': 'Eine Nachricht ging verloren: {1}',
  'Is anything said here?': 'Ist hier etwas gesagt?',
  'This is a test.': 'Das ist ein Test.',
  'Is anything seen here?': 'Ist hier etwas zu sehen?',
  'This goes beyond the cameras that you may see: {1?}.':
    'Das geht über die Kameras hinaus, die Sie sehen dürfen: {1}.',
  "{1} is an admin's to turn On, since {2?}: ask one, or leave it in Test.":
    '{1} kann nur ein Admin einschalten ({2}): Fragen Sie einen, oder lassen Sie ihn im Test.',
  'A run has at most {1} steps: lower max, or split the workflow.':
    'Ein Vorgang hat höchstens {1} Schritte: Senken Sie max, oder teilen Sie den Ablauf.',
  'Gatehouse is in safe mode: nothing runs.': 'Gatehouse ist im abgesicherten Modus: Nichts läuft.',
  'Gatehouse is starting or stopping.': 'Gatehouse startet gerade oder hält an.',
  'Run {1} has ended already.': 'Vorgang {1} ist schon zu Ende.',
  'It was saved while its cases were run: switch it On again.':
    'Er wurde gespeichert, während seine Fälle liefen: Schalten Sie ihn noch einmal An.',
  'It ended at {1}.': 'Es endete bei {1}.',
  'Run {1} was not started by a message.': 'Vorgang {1} begann nicht mit einer Nachricht.',
  'The workflow is in Test: nothing is sent, what it would have answered is in would_have.':
    'Der Ablauf ist im Test: Nichts wird gesendet; was er geantwortet hätte, steht in would_have.',
  'The run has ended without an answer.': 'Der Vorgang endete ohne Antwort.',
  'The run was stopped before it answered.': 'Der Vorgang wurde beendet, bevor er antwortete.',
  'The run failed before it answered: its trace says why.':
    'Der Vorgang misslang, bevor er antwortete: Warum, steht in seinem Verlauf.',
  'Nothing came of it in its time.': 'In der Zeit kam nichts dabei heraus.',
  '{1} calls are going on: this one was not placed.': '{1} Anrufe laufen schon: Dieser wurde nicht begonnen.',
  'Nobody can be called: {1?}.': 'Niemand ist anzurufen: {1}.',
  '{1} decided that it is not to be done.': '{1} hat entschieden, dass es nicht getan wird.',
  'Moves were paused and nobody decided within {1} minutes: do it by hand if it is still wanted.':
    'Bewegungen waren angehalten, und niemand entschied innerhalb von {1} Minuten: Tun Sie es von Hand, wenn es noch gewünscht ist.',
  'This version cannot do that yet.': 'Das kann diese Version noch nicht.',
  '{1} questions are open: this one was not asked.': '{1} Fragen sind offen: Diese wurde nicht gestellt.',
}
