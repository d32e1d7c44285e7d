/** What tools say about themselves and their arguments. */
export const tools = {
  'Takes a new picture of a camera and keeps it for people to see.':
    'Nimmt ein neues Bild einer Kamera auf und hebt es für Menschen auf.',
  'Which camera. Leave it out for the camera of the event. Not a place, a person or a plate.':
    'Welche Kamera. Ohne Angabe die des Ereignisses. Kein Ort, keine Person, kein Kennzeichen.',
  'Not to learn what it shows, unless you see pictures: use describe_camera for that.':
    'Nicht, um zu erfahren, was zu sehen ist, außer das Modell sieht Bilder: Dafür gibt es describe_camera.',
  'Says what a camera shows now: people, vehicles, other things and readable text.':
    'Sagt, was eine Kamera jetzt zeigt: Menschen, Fahrzeuge, andere Dinge und lesbaren Text.',
  'Not for what happened earlier: use describe_event or describe_window.':
    'Nicht für Früheres: Dafür gibt es describe_event und describe_window.',
  'Says what the picture shows that came with this event.':
    'Sagt, was das Bild zeigt, das mit diesem Ereignis kam.',
  'Not for what the camera shows now: use describe_camera.':
    'Nicht für das, was die Kamera jetzt zeigt: Dafür gibt es describe_camera.',
  'Says what the kept pictures of a camera show over the last minutes, oldest first.':
    'Sagt, was die aufgehobenen Bilder einer Kamera aus den letzten Minuten zeigen, die ältesten zuerst.',
  'How far back, in minutes. Not a clock time. Left out: {1}.':
    'Wie weit zurück, in Minuten. Keine Uhrzeit. Ohne Angabe {1}.',
  'Not for this moment: use describe_camera. Minutes without an event have no picture.':
    'Nicht für diesen Moment: Dafür gibt es describe_camera. Minuten ohne Ereignis haben kein Bild.',
  'Counts one sort of thing on a camera now.': 'Zählt jetzt eine Sorte von Dingen auf einer Kamera.',
  'What is counted. Not a name or a colour.': 'Was gezählt wird. Kein Name, keine Farbe.',
  'Not to read text or to learn what somebody does: use describe_camera.':
    'Nicht, um Text zu lesen oder zu erfahren, was jemand tut: Dafür gibt es describe_camera.',
  'Lists what cameras and sensors reported lately, the newest first.':
    'Listet auf, was Kameras und Sensoren zuletzt meldeten, das Neueste zuerst.',
  'true: of the whole site. Then leave camera out.': 'true: vom ganzen Standort. Dann bleibt camera weg.',
  'Not for what was decided then: use search_history. Not for plates: use recent_plates.':
    'Nicht für das, was dann entschieden wurde: Dafür gibt es search_history. Nicht für Kennzeichen: recent_plates.',
  'Lists the licence plates that were read lately, or when one plate was read.':
    'Listet die zuletzt gelesenen Kennzeichen auf, oder wann eines gelesen wurde.',
  'One plate, as it was read. Not a part of it. Left out: all plates.':
    'Ein Kennzeichen, wie es gelesen wurde. Kein Teil davon. Ohne Angabe alle.',
  'Only of this camera. Left out: of all cameras. Not a place or a plate.':
    'Nur von dieser Kamera. Ohne Angabe von allen. Kein Ort, kein Kennzeichen.',
  'Not to learn whose plate it is or whether it may come in: use site_lookup.':
    'Nicht, um zu erfahren, wem es gehört oder ob es hereindarf: Dafür gibt es site_lookup.',
  'Compares faces on a camera now with the people who agreed to it.':
    'Vergleicht Gesichter auf einer Kamera jetzt mit den Menschen, die dem zugestimmt haben.',
  'Not to find out who a stranger is: it knows nobody who did not agree.':
    'Nicht, um herauszufinden, wer ein Fremder ist: Es kennt niemanden, der nicht zugestimmt hat.',
  'Lists what was decided here before, and whether people said that it was right.':
    'Listet auf, was hier früher entschieden wurde, und ob Menschen es richtig fanden.',
  'Only of this camera. Left out: of all cameras. Not a place.':
    'Nur von dieser Kamera. Ohne Angabe von allen. Kein Ort.',
  'A word or plate that the decision or its reason holds. Not a question.':
    'Ein Wort oder Kennzeichen aus der Entscheidung oder ihrem Grund. Keine Frage.',
  'How far back, in days. Not a date. Left out: {1}.':
    'Wie weit zurück, in Tagen. Kein Datum. Ohne Angabe {1}.',
  'Not for what happened, only for what was decided about it: use recent_events for the rest.':
    'Nicht für das, was geschah, nur für das, was dazu entschieden wurde: Für das andere gibt es recent_events.',
  'Searches recordings for what they show.': 'Durchsucht Aufnahmen nach dem, was sie zeigen.',
  'What is to be seen, in a few words. Not a question.':
    'Was zu sehen sein soll, in wenigen Worten. Keine Frage.',
  'Not for this moment: use describe_camera. Not for earlier decisions: use search_history.':
    'Nicht für diesen Moment: Dafür gibt es describe_camera. Nicht für frühere Entscheidungen: search_history.',
  'Says which lists of the site a plate or name stands in, and whether it is a person of the site.':
    'Sagt, auf welchen Listen des Standorts ein Kennzeichen oder Name steht, und ob es eine Person des Standorts ist.',
  'The whole plate or name. Not a question, not the name of a list.':
    'Das ganze Kennzeichen oder der ganze Name. Keine Frage, nicht der Name einer Liste.',
  'Not to search by a part or by a description: only the very same plate or name is found.':
    'Nicht, um nach einem Teil oder einer Beschreibung zu suchen: Gefunden wird nur genau dasselbe.',
  'Says whether a camera works: whether it gives a picture, how old that is, whether it can be reached.':
    'Sagt, ob eine Kamera geht: ob sie ein Bild liefert, wie alt es ist, ob sie zu erreichen ist.',
  'Not to learn what the camera shows: use describe_camera.':
    'Nicht, um zu erfahren, was die Kamera zeigt: Dafür gibt es describe_camera.',
  'Asks a person of the site one question and waits for the answer.':
    'Stellt einer Person des Standorts eine Frage und wartet auf die Antwort.',
  'One short question in plain words. Not an order.':
    'Eine kurze Frage in einfachen Worten. Keine Anweisung.',
  'The answers to choose from, such as "Yes", "No". Not sentences.':
    'Die Antworten zur Auswahl, etwa "Ja", "Nein". Keine Sätze.',
  'Who is asked, by role. Left out: everybody who may answer. Not the name of a person.':
    'Wer gefragt wird, nach Rolle. Ohne Angabe alle, die antworten dürfen. Nicht der Name einer Person.',
  'Not for what another tool can find out. Not to have something opened or switched.':
    'Nicht für das, was ein anderes Werkzeug herausfindet. Nicht, um etwas öffnen oder schalten zu lassen.',
}
