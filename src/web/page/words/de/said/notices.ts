/** What the box says of itself: how it and what it is connected with are. */
export const notices = {
  'Camera {1} gives no picture': 'Kamera {1} liefert kein Bild',
  'Camera {1} comes and goes': 'Kamera {1} fällt immer wieder aus',
  'Camera {1} gives pictures again': 'Kamera {1} liefert wieder Bilder',
  '{1} is not well': '{1} geht nicht richtig',
  '{1} comes and goes': '{1} fällt immer wieder aus',
  '{1} is well again': '{1} geht wieder',
  'Nobody can be told by {1}': 'Über {1} ist niemand zu erreichen',
  'The channel {1} comes and goes': 'Der Kanal {1} fällt immer wieder aus',
  'People are told by {1} again': 'Über {1} wird wieder benachrichtigt',
  'The {1} does not answer': '{1} antwortet nicht',
  'The {1} answers now and then': '{1} antwortet nur ab und zu',
  'The {1} answers again': '{1} antwortet wieder',
  'The program for {1} keeps ending': 'Das Programm für {1} endet immer wieder',
  'The program for {1} runs again': 'Das Programm für {1} läuft wieder',
  '{1} cameras are not well': '{1} Kameras gehen nicht richtig',
  '{1} cameras come and go': '{1} Kameras fallen immer wieder aus',
  '{1} cameras are well again': '{1} Kameras gehen wieder',
  '{1} connections are not well': '{1} Verbindungen gehen nicht richtig',
  '{1} connections come and go': '{1} Verbindungen fallen immer wieder aus',
  '{1} connections are well again': '{1} Verbindungen gehen wieder',
  '{1} channels are not well': '{1} Kanäle gehen nicht richtig',
  '{1} channels come and go': '{1} Kanäle fallen immer wieder aus',
  '{1} channels are well again': '{1} Kanäle gehen wieder',
  '{1} models are not well': '{1} Modelle gehen nicht richtig',
  '{1} models come and go': '{1} Modelle fallen immer wieder aus',
  '{1} models are well again': '{1} Modelle gehen wieder',
  '{1} programs are not well': '{1} Programme gehen nicht richtig',
  '{1} programs come and go': '{1} Programme fallen immer wieder aus',
  '{1} programs are well again': '{1} Programme gehen wieder',
  '{1?}\nSince {2}.': '{1}\nSeit {2}.',
  '{1} times in the last hour; you are told once it stays well.\n{2?}':
    '{1}-mal in der letzten Stunde; Sie erfahren, wenn es dabei bleibt.\n{2}',
  'It was away for {1?}, with breaks: {2} times.': 'Es war {1} weg, mit Unterbrechungen: {2}-mal.',
  'It was away for {1?}.': 'Es war {1} weg.',
  'And others.': 'Und andere.',
  'Since {1}.': 'Seit {1}.',
  '{1?} And others.': '{1} Und andere.',
  '{1} times in half an hour. Look at its power supply and at its log; you are told once it stays up.':
    '{1}-mal in einer halben Stunde. Sehen Sie nach der Stromversorgung und dem Protokoll; Sie erfahren, wenn sie oben bleibt.',
  'It ended without being asked to after {1}, and was away for {2?}: a power cut, or a fault.':
    'Sie endete ungefragt nach {1} und war {2} weg: ein Stromausfall oder ein Fehler.',
  'It has been up for half an hour.': 'Sie läuft seit einer halben Stunde.',
  'The box keeps ending without being asked to': 'Die Box endet immer wieder ungefragt',
  'The box is up again': 'Die Box läuft wieder',
  'The box stays up again': 'Die Box läuft wieder dauerhaft',
  'It did not answer.': 'Keine Antwort.',
  'It ended {1} times in ten minutes, and is started again each time.':
    'Es endete {1}-mal in zehn Minuten und wird jedes Mal neu gestartet.',
  'The box does not listen where it is set to': 'Die Box hört nicht, wo sie soll',
  'The box listens where it did before': 'Die Box hört wieder, wo sie vorher hörte',
  'Gatehouse {1} runs now': 'Jetzt läuft Gatehouse {1}',
  'The update to {1} was taken back': 'Das Update auf {1} wurde zurückgenommen',
  'The update to {1} was refused': 'Das Update auf {1} wurde abgelehnt',
  'The update to {1} failed': 'Das Update auf {1} misslang',
  'The update to {1} was taken back: {2?}': 'Das Update auf {1} wurde zurückgenommen: {2}',
  'Before it was {1}.': 'Vorher war es {1}.',
  '{1} runs again. {2?}': '{1} läuft wieder. {2}',
  '{1} runs again.': '{1} läuft wieder.',
  'It was not ready in {1} seconds.': 'Es war nach {1} Sekunden nicht bereit.',
  'It ended {1} times before it was ready.': 'Es endete {1}-mal, bevor es bereit war.',
  'It ended {1} seconds after it was ready.': 'Es endete {1} Sekunden, nachdem es bereit war.',
  'It started in safe mode.': 'Es startete im abgesicherten Modus.',
  'It took no work for {1} seconds.': 'Es nahm {1} Sekunden lang keine Arbeit an.',
  'It was cut off again and again.': 'Es wurde immer wieder unterbrochen.',
  'It was cut off.': 'Es wurde unterbrochen.',
  'An update is under way already, to {1}.': 'Ein Update läuft schon, auf {1}.',
  'No newer release is known: look for one first.': 'Keine neuere Version ist bekannt: Suchen Sie erst.',
  'No source of updates is listed: write updates: { from: … } into site.yaml.':
    'Keine Quelle für Updates ist eingetragen: Schreiben Sie updates: { from: … } in site.yaml.',
  'It was not installed by install.sh: update it the way that it was started.':
    'Es wurde nicht mit install.sh eingerichtet: Aktualisieren Sie es so, wie es gestartet wurde.',
  'The signature of the release does not hold: {1?}. Nothing was unpacked; fetch the release again from whoever made it.':
    'Die Signatur der Version stimmt nicht: {1}. Nichts wurde ausgepackt; holen Sie sie noch einmal bei dem, der sie gemacht hat.',
  'The newest backup is of {1}: look at systemctl status gatehouse-backup.timer.':
    'Die neueste Sicherung ist von {1}: Sehen Sie nach mit systemctl status gatehouse-backup.timer.',
  'The backup broke off before its end: send it again.':
    'Die Sicherung brach vor dem Ende ab: Schicken Sie sie noch einmal.',
  'Send the backup first.': 'Schicken Sie erst die Sicherung.',
  'Restore it where the box runs: gatehouse restore FILE.':
    'Spielen Sie sie ein, wo die Box läuft: gatehouse restore FILE.',
  'There is no room for it on the disk of the box.': 'Auf dem Datenträger der Box ist dafür kein Platz.',
  'A backup is being made or read already: wait for that to end.':
    'Eine Sicherung wird schon gemacht oder gelesen: Warten Sie, bis das fertig ist.',
  'The passphrase or key does not open this backup.':
    'Passphrase oder Schlüssel öffnen diese Sicherung nicht.',
  'This is no whole backup of a Gatehouse: {1?}.': 'Das ist keine ganze Sicherung eines Gatehouse: {1}.',
  'The disk is full: make room on the disk of {1}.':
    'Der Datenträger ist voll: Schaffen Sie Platz auf dem von {1}.',
  'The store is closed: Gatehouse is starting or stopping.':
    'Die Datenbank ist geschlossen: Gatehouse startet gerade oder hält an.',
  'Nothing was stored: {1?}': 'Nichts wurde gespeichert: {1}',
  'The database failed: {1}': 'Die Datenbank versagte: {1}',
  '{1?} The page and what is stored can be reached. {2?}':
    '{1} Die Seite und was gespeichert ist, sind zu erreichen. {2}',
  '{1} starts in a row came to nothing.{2?}': '{1} Starts hintereinander kamen nicht zustande.{2}',
  'The box is too hot: {1} has {2} °C ({3} at most). Give it air; it gets slow, then stops.':
    'Die Box ist zu heiß: {1} hat {2} °C (höchstens {3}). Geben Sie ihr Luft; sie wird langsam und bleibt dann stehen.',
  '{1?} waits until {2} has passed its cases on this box ({3}): {4?}':
    '{1} wartet, bis {2} seine Fälle auf dieser Box bestanden hat ({3}): {4}',
  '{1?} is not offered with {2}: {3?}. Try another model, then {4?}':
    '{1} wird mit {2} nicht angeboten: {3}. Versuchen Sie ein anderes Modell, dann {4}',
  'A test message went out to {1}.': 'Eine Testnachricht ging an {1} hinaus.',
  'It gave a picture, {1}, {2} kB.': 'Sie lieferte ein Bild, {1}, {2} kB.',
  'Nothing will be sent there: {1?}.': 'Dorthin wird nichts gesendet: {1}.',
  'It moves something: nothing was sent. Its name, its address and its secrets are fine.':
    'Es bewegt etwas: Nichts wurde gesendet. Name, Adresse und Geheimnisse sind in Ordnung.',
  'It moves something: nothing was published.': 'Es bewegt etwas: Nichts wurde veröffentlicht.',
  'The broker took a test message.': 'Der Broker nahm eine Testnachricht an.',
  'There is no {1} {2} in the site file.': 'In der Standortdatei gibt es {2} nicht.',
  'Say in 1 to {1} characters what the workflow is to do.':
    'Sagen Sie mit 1 bis {1} Zeichen, was der Ablauf tun soll.',
  'Drafting needs a language model: name one under language in the site file.':
    'Entwerfen braucht ein Sprachmodell: Nennen Sie eins unter language in der Standortdatei.',
  'Another workflow is being drafted: wait until that is done.':
    'Ein anderer Ablauf wird gerade entworfen: Warten Sie, bis das fertig ist.',
  'Nothing was drafted: {1?} ({2}).': 'Nichts wurde entworfen: {1} ({2}).',
  'There is no such camera.': 'Diese Kamera gibt es nicht.',
  'A password has 1 to {1} characters.': 'Ein Passwort hat 1 bis {1} Zeichen.',
  'It was put there by hand: run "gatehouse models add" on it.':
    'Es wurde von Hand dorthin gelegt: Führen Sie "gatehouse models add" dafür aus.',
  'The data lies on an SD card: an SSD lasts longer and is quicker.':
    'Die Daten liegen auf einer SD-Karte: Eine SSD hält länger und ist schneller.',
  'The data lies on a USB drive: an SSD lasts longer and is quicker.':
    'Die Daten liegen auf einem USB-Laufwerk: Eine SSD hält länger und ist schneller.',
  'The data under {1} lies in memory and is lost at a restart: choose another --data.':
    'Die Daten unter {1} liegen im Arbeitsspeicher und gehen beim Neustart verloren: Wählen Sie ein anderes --data.',
  'Less than 2 GB are free at {1}: make room.': 'Unter {1} sind weniger als 2 GB frei: Schaffen Sie Platz.',
  'Less than 1.5 GB of memory: looking at pictures may fail while much else runs.':
    'Weniger als 1,5 GB Arbeitsspeicher: Bilder anzusehen kann misslingen, während viel anderes läuft.',
  'The processor has no AVX2: looking at a picture takes several times longer.':
    'Der Prozessor hat kein AVX2: Ein Bild anzusehen dauert ein Mehrfaches.',
  "The system's C library is {1}; 2.34 or newer is needed (Debian 12, Ubuntu 22.04).":
    'Die C-Bibliothek des Systems ist {1}; nötig ist 2.34 oder neuer (Debian 12, Ubuntu 22.04).',
}
