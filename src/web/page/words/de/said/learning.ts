/** What the box says of trying, marking and keeping. */
export const learning = {
  'Not run: there was no time left for it.': 'Nicht gelaufen: Die Zeit reichte nicht mehr.',
  'No AI step was come to.': 'Es kam zu keinem KI-Schritt.',
  'Nobody judged it.': 'Niemand hat es beurteilt.',
  'It has no decision “{1}” any more.': 'Die Entscheidung „{1}“ gibt es nicht mehr.',
  '{1?} Look at them, then confirm that it goes On all the same, or mend it.':
    '{1} Sehen Sie sie an, dann bestätigen Sie, dass er trotzdem An geht, oder beheben Sie es.',
  '{1} runs that people marked as right come out differently now.':
    '{1} als richtig markierte Vorgänge enden jetzt anders.',
  '1 run that people marked as right comes out differently now.':
    'Ein als richtig markierter Vorgang endet jetzt anders.',
  '{1} of its cases came out right before and do not now.':
    '{1} seiner Fälle endeten bisher richtig und jetzt nicht.',
  '1 of its cases came out right before and does not now.':
    'Einer seiner Fälle endete bisher richtig und jetzt nicht.',
  '{1} of {2} cases of the template {3} come out differently: {4}.':
    '{1} von {2} Fällen der Vorlage {3} enden anders: {4}.',
  '{1} of {2} cases of the template {3} comes out differently: {4}.':
    '{1} von {2} Fällen der Vorlage {3} endet anders: {4}.',
  'The file does not hold at this site any more.': 'Die Datei gilt an diesem Standort nicht mehr.',
  'The event does not fit the trigger.': 'Das Ereignis passt nicht zum Auslöser.',
  'Nothing leaves the box while a file is tried.':
    'Solange eine Datei probiert wird, verlässt nichts die Box.',
  '{1?}; above medium it takes {2?}': '{1}; über „Mittel“ braucht es {2}',
  'Run {1} is going on: mark it when it has ended.':
    'Vorgang {1} läuft noch: Markieren Sie ihn, wenn er zu Ende ist.',
  'Keep the note to {1} characters.': 'Die Notiz darf höchstens {1} Zeichen haben.',
  'There is no version {1} of it.': 'Eine Version {1} davon gibt es nicht.',
  'No event that is kept would have started it.': 'Kein aufgehobenes Ereignis hätte ihn gestartet.',
  'All tries together may take {1} s.': 'Alle Versuche zusammen dürfen {1} s dauern.',
  'Another file is being tried: wait until that is done.':
    'Eine andere Datei wird gerade probiert: Warten Sie, bis das fertig ist.',
  'Its pictures are not kept any more.': 'Seine Bilder sind nicht mehr da.',
  'No AI step decided in run {1}: there is nothing that an answer could be held against.':
    'In Vorgang {1} entschied kein KI-Schritt: Es gibt nichts, womit sich eine Antwort vergleichen ließe.',
  'Run {1} is going on: make it a case when it has ended.':
    'Vorgang {1} läuft noch: Machen Sie ihn zum Fall, wenn er zu Ende ist.',
  'What decided in run {1} is not in its file any more.':
    'Was in Vorgang {1} entschied, steht nicht mehr in seiner Datei.',
  'The pictures of run {1} are not kept any more.': 'Die Bilder von Vorgang {1} sind nicht mehr da.',
  'It has {1} cases: remove one that says little.': 'Er hat {1} Fälle: Entfernen Sie einen, der wenig sagt.',
  'It has no case {1}.': 'Einen Fall {1} hat er nicht.',
  '“{1}” is none of its decisions: {2}.': '„{1}“ ist keine seiner Entscheidungen: {2}.',
  'The span must end after it begins.': 'Die Zeitspanne muss nach ihrem Beginn enden.',
  'A plate has {1} to {2} letters and digits.': 'Ein Kennzeichen hat {1} bis {2} Buchstaben und Ziffern.',
  'A name has {1} to {2} characters.': 'Ein Name hat {1} bis {2} Zeichen.',
  'The disk is nearly full ({1} free): make room, at least {2}.':
    'Der Datenträger ist fast voll ({1} frei): Schaffen Sie Platz, mindestens {2}.',
  'New runs are taken again.': 'Neue Vorgänge werden wieder angenommen.',
  'No new runs: the disk is nearly full': 'Keine neuen Vorgänge: Der Datenträger ist fast voll',
  'There is room on the disk again': 'Auf dem Datenträger ist wieder Platz',
  'Something is being forgotten already: wait for that to end.':
    'Es wird schon etwas vergessen: Warten Sie, bis das fertig ist.',
  'Gatehouse stops: have it forgotten again once it is up.':
    'Gatehouse hält an: Lassen Sie es noch einmal vergessen, wenn es wieder läuft.',
  '{1}: {2} runs, {3} pictures and clips, {4} events{5}':
    '{1}: {2} Vorgänge, {3} Bilder und Clips, {4} Ereignisse{5}',
  'what was forgotten is in the files of the database still: they are being read, or the disk is full':
    'was vergessen wurde, steht noch in den Dateien der Datenbank: Sie werden gerade gelesen, oder der Datenträger ist voll',
  '“{1}” is there already, as workflow {2}: {3?}': '„{1}“ gibt es schon, als Ablauf {2}: {3}',
  '“{1}” moves something: answer where you are signed in.':
    '„{1}“ bewegt etwas: Antworten Sie, wo Sie angemeldet sind.',
  '{1}: the move “{2}” was not made': '{1}: Die Bewegung „{2}“ wurde nicht ausgeführt',
  '{1} stands still': '{1} steht still',
  '{1} goes on': '{1} geht weiter',
  '1 event is missed': 'Ein Ereignis fehlt',
  'The box was put back to an older state; moves are paused':
    'Die Box ist auf einem älteren Stand; Bewegungen sind angehalten',
  'Nothing could look at its pictures': 'Nichts konnte seine Bilder ansehen',
  'Its language model did not answer': 'Sein Sprachmodell antwortete nicht',
  'Its model for pictures did not answer': 'Sein Modell für Bilder antwortete nicht',
  'Whoever saved {1} may not see all of its cameras, and not this one.':
    'Wer {1} gespeichert hat, darf nicht alle seine Kameras sehen, und diese nicht.',
  'critical takes a person or a plain rule on the path':
    'kritisch braucht einen Menschen oder eine feste Regel auf dem Weg',
  'nothing measured how sure the AI step was': 'nichts hat gemessen, wie sicher der KI-Schritt war',
  'no language model on this box': 'auf dieser Box gibt es kein Sprachmodell',
  'it moves something': 'er bewegt etwas',
  'it reads {1}': 'er liest {1}',
  'this is an older state of the box: moves are paused':
    'das ist ein älterer Stand der Box: Bewegungen sind angehalten',
  'its trigger takes events of any camera unless it names some under `cameras`':
    'sein Auslöser nimmt Ereignisse jeder Kamera, solange er unter `cameras` keine nennt',
  'its steps may look at any camera': 'seine Schritte dürfen jede Kamera ansehen',
  '{1} is not, or not wholly, among them': '{1} gehört nicht oder nicht ganz dazu',
  '{1&} are not, or not wholly, among them': '{1} gehören nicht oder nicht ganz dazu',
  'its file is not understood': 'seine Datei wird nicht verstanden',
  'cannot be made: {1?}': 'lässt sich nicht ausführen: {1}',
  'moves are not paused': 'Bewegungen sind nicht angehalten',
}
