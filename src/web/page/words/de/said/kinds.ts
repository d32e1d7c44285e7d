/** What the kinds of the contract and their parameters say about themselves. */
export const kinds = {
  'An app or another workflow raised an alert.':
    'Eine App oder ein anderer Ablauf hat einen Alarm ausgelöst.',
  'Whose alerts: an app or another workflow; everyone where absent.':
    'Wessen Alarme: eine App oder ein anderer Ablauf; ohne Angabe alle.',
  'How grave the alert must be; any where absent.':
    'Wie schwer der Alarm sein muss; ohne Angabe gleich wie schwer.',
  'How grave it is.': 'Wie schwer er ist.',
  'Camera roles; any camera where absent.': 'Kamerarollen; ohne Angabe jede Kamera.',
  'A name.': 'Ein Name.',
  'A domain event of the site arrived, such as a plate that was read.':
    'Ein Ereignis des Standorts ist eingetroffen, etwa ein gelesenes Kennzeichen.',
  'The schema of the event.': 'Das Schema des Ereignisses.',
  'Texts of which one must occur.': 'Texte, von denen einer vorkommen muss.',
  'Text.': 'Text.',
  'Payload field → value, list of values or comparison; all must hold.':
    'Feld des Ereignisses → Wert, Liste von Werten oder Vergleich; alle müssen gelten.',
  'A person, or another thing that the detector knows, has stayed in view of a camera.':
    'Eine Person oder etwas anderes, das der Detektor kennt, ist im Blick einer Kamera geblieben.',
  'Camera roles.': 'Kamerarollen.',
  'How long it must have stayed, in seconds.': 'Wie lange es da sein muss, in Sekunden.',
  'A zone of the camera; the whole view where absent.':
    'Eine Zone der Kamera; ohne Angabe alles, was sie sieht.',
  'What is looked for; person where absent.': 'Wonach gesucht wird; ohne Angabe person.',
  'Whether what has not moved for long counts too, such as a parked car; not where absent.':
    'Ob auch zählt, was sich lange nicht bewegt hat, etwa ein parkendes Auto; ohne Angabe nicht.',
  'A camera has given no picture for a while.': 'Eine Kamera hat eine Weile kein Bild geliefert.',
  'How long it must have been silent.': 'Wie lange sie schweigen muss.',
  'A time of day, an interval or a cron line in the time zone of the site.':
    'Eine Uhrzeit, ein Abstand oder eine Cron-Zeile, in der Zeitzone des Standorts.',
  'Minute, hour, day of month, month, day of week.': 'Minute, Stunde, Tag des Monats, Monat, Wochentag.',
  'The interval.': 'Der Abstand.',
  'The time of day.': 'Die Uhrzeit.',
  'Days on which it holds; every day where absent.': 'Tage, an denen es gilt; ohne Angabe jeden Tag.',
  'A day of the week.': 'Ein Wochentag.',
  'How late a missed time may still run after a restart.':
    'Wie spät eine verpasste Zeit nach einem Neustart noch nachgeholt wird.',
  'Somebody pressed the button of this workflow.': 'Jemand hat den Knopf dieses Ablaufs gedrückt.',
  'What the button says; the name of the workflow where absent.':
    'Was auf dem Knopf steht; ohne Angabe der Name des Ablaufs.',
  'Another system called the secret address of this workflow, with a payload and perhaps a picture.':
    'Ein anderes System hat die geheime Adresse dieses Ablaufs aufgerufen, mit Daten und vielleicht einem Bild.',
  'Who calls, as the page shows it.': 'Wer aufruft, so wie die Seite es zeigt.',
  'Somebody wrote to the box; a reply step answers.':
    'Jemand hat der Box geschrieben; ein Schritt reply antwortet.',
  'What this workflow answers, as the page shows it.':
    'Worauf dieser Ablauf antwortet, so wie die Seite es zeigt.',
  'A question that is asked of a camera again and again is answered with yes.':
    'Eine Frage, die einer Kamera immer wieder gestellt wird, ist mit Ja beantwortet.',
  'A question that yes or no answers.': 'Eine Frage, auf die Ja oder Nein die Antwort ist.',
  'How often it is asked.': 'Wie oft gefragt wird.',
  'How many times in a row the answer must be yes; once where absent.':
    'Wie oft nacheinander die Antwort Ja sein muss; ohne Angabe einmal.',
  'The local time lies in a window, which may go over midnight.':
    'Die Uhrzeit liegt in einem Zeitfenster, auch über Mitternacht.',
  'When the window begins (inclusive).': 'Wann es beginnt (einschließlich).',
  'When the window ends (exclusive).': 'Wann es endet (ausschließlich).',
  'The site is in one of these modes.': 'Der Standort ist in einer dieser Betriebsarten.',
  'Modes such as armed_away.': 'Betriebsarten wie armed_away.',
  'The camera of the trigger bears one of these roles.': 'Die Kamera des Auslösers hat eine dieser Rollen.',
  'A value of the run is, contains or reaches something.':
    'Ein Wert des Vorgangs ist, enthält oder erreicht etwas.',
  'The value that is looked at.': 'Der Wert, der geprüft wird.',
  'Whether the value is there at all.': 'Ob der Wert überhaupt da ist.',
  'A value stands in a list of the site, compared exactly.':
    'Ein Wert steht auf einer Liste des Standorts, genau verglichen.',
  'The list.': 'Die Liste.',
  'What is looked for, usually a placeholder such as "{plate}".':
    'Was gesucht wird, meist ein Platzhalter wie "{plate}".',
  'The condition does not hold.': 'Die Bedingung gilt nicht.',
  'At least one of the conditions holds.': 'Mindestens eine der Bedingungen gilt.',
  'All of the conditions hold.': 'Alle Bedingungen gelten.',
  'A camera shows one of these texts.': 'Eine Kamera zeigt einen dieser Texte.',
  'The camera role.': 'Die Kamerarolle.',
  'Texts of which one must be readable.': 'Texte, von denen einer zu lesen sein muss.',
  'An earlier step ran and did not fail; unsure is not success.':
    'Ein früherer Schritt lief und schlug nicht fehl; unsicher ist kein Erfolg.',
  'The name of the step.': 'Der Name des Schritts.',
  'So much time has gone by since the step began.': 'So viel Zeit ist vergangen, seit der Schritt begann.',
  'How long.': 'Wie lange.',
  'Looks at a picture, frames or text, or investigates with tools, and comes to one of your decisions.':
    'Sieht ein Bild, mehrere Bilder oder einen Text an, oder geht mit Werkzeugen nach, und kommt zu einer Ihrer Entscheidungen.',
  'One look, or a search with tools.': 'Ein Blick, oder eine Suche mit Werkzeugen.',
  'What a Look is asked.': 'Was bei einem Blick gefragt wird.',
  'What is looked at.': 'Was angesehen wird.',
  'The time over which they are spread.': 'Die Zeit, über die sie verteilt sind.',
  'The text that is judged; it may hold placeholders.':
    'Der Text, der beurteilt wird; er darf Platzhalter enthalten.',
  "The camera role to look at; the trigger's where absent.":
    'Die Kamerarolle, die angesehen wird; ohne Angabe die des Auslösers.',
  'The oldest picture that may be judged; 30s where absent.':
    'Wie alt das Bild höchstens sein darf; ohne Angabe 30s.',
  'What an investigation is to find out.': 'Was herausgefunden werden soll.',
  'What it should keep in mind.': 'Was dabei zu beachten ist.',
  'The tools that it may use.': 'Die Werkzeuge, die es benutzen darf.',
  'A tool.': 'Ein Werkzeug.',
  'What it remembers of earlier decisions.': 'Was es von früheren Entscheidungen weiß.',
  'One of these, asked of the model.': 'Eines davon, das Modell wird gefragt.',
  'Asked of the model.': 'Das Modell wird gefragt.',
  'What a detector or OCR fills in.': 'Was ein Detektor oder die Texterkennung ausfüllt.',
  'What is counted or looked for.': 'Was gezählt oder gesucht wird.',
  'A zone of the camera; the whole picture where absent.':
    'Eine Zone der Kamera; ohne Angabe das ganze Bild.',
  'The least score that counts.': 'Die kleinste Sicherheit, die zählt.',
  'Extra values: name → how it is filled.': 'Weitere Werte: Name → wie er ausgefüllt wird.',
  'What can be decided, besides unsure.': 'Was entschieden werden kann, neben „unsicher“.',
  'The first that matches decides; no match is unsure.':
    'Die erste, die greift, entscheidet; greift keine, ist es unsicher.',
  'Field → value, list of values or comparison; all must hold.':
    'Feld → Wert, Liste von Werten oder Vergleich; alle müssen gelten.',
  'The decision.': 'Die Entscheidung.',
  'The least confidence; under it the outcome is unsure.':
    'Wie sicher es mindestens sein muss; darunter ist es unsicher.',
  'Bounds of this step, within those of the box.': 'Grenzen dieses Schritts, innerhalb derer der Box.',
  'The most tool calls.': 'Höchstens so viele Werkzeugaufrufe.',
  'The most time, waiting for a person not counted.':
    'Höchstens so viel Zeit; das Warten auf einen Menschen zählt nicht.',
  'Goes one way when all conditions hold, else the other.':
    'Geht den einen Weg, wenn alle Bedingungen gelten, sonst den anderen.',
  'Runs steps once for each camera, list entry or recent event.':
    'Führt Schritte einmal für jede Kamera, jeden Eintrag oder jedes jüngste Ereignis aus.',
  'Camera roles, one after the other.': 'Kamerarollen, eine nach der anderen.',
  'A list of the site, entry by entry.': 'Eine Liste des Standorts, Eintrag für Eintrag.',
  'Recent events of a schema.': 'Die jüngsten Ereignisse eines Schemas.',
  'How far back.': 'Wie weit zurück.',
  'What the present one is called; item where absent.': 'Wie das jeweilige heißt; ohne Angabe item.',
  'The most rounds; 20 where absent.': 'Höchstens so viele Runden; ohne Angabe 20.',
  'A value that gathers the reasons and fields of all rounds as one text.':
    'Ein Wert, der Gründe und Felder aller Runden als einen Text sammelt.',
  'Asks people and goes the way that the first answer says.':
    'Fragt Menschen und geht den Weg, den die erste Antwort sagt.',
  'Who is told or asked.': 'Wer benachrichtigt oder gefragt wird.',
  'The question; it may hold placeholders.': 'Die Frage; sie darf Platzhalter enthalten.',
  'What can be answered.': 'Was geantwortet werden kann.',
  'How long an answer is waited for.': 'Wie lange auf eine Antwort gewartet wird.',
  'The reply that counts when nobody answers.': 'Die Antwort, die gilt, wenn niemand antwortet.',
  'Pictures or a clip to send along.': 'Bilder oder ein Clip, die mitgeschickt werden.',
  'What is attached.': 'Was mitgeschickt wird.',
  'Calls somebody, speaks with them toward a goal and comes to one of your outcomes.':
    'Ruft jemanden an, spricht auf ein Ziel hin und kommt zu einem Ihrer Ergebnisse.',
  'What the call is for.': 'Wozu der Anruf dient.',
  'What is said first.': 'Was zuerst gesagt wird.',
  'What can come of it.': 'Was dabei herauskommen kann.',
  'How long the call may last in all.': 'Wie lange der Anruf insgesamt dauern darf.',
  'Waits for a while.': 'Wartet eine Weile.',
  'Looks again and again until a condition holds or the time is up.':
    'Sieht immer wieder nach, bis eine Bedingung gilt oder die Zeit um ist.',
  'How often it is looked at.': 'Wie oft nachgesehen wird.',
  'When it is given up.': 'Wann aufgegeben wird.',
  'Raises an alert that people and other systems see.':
    'Löst einen Alarm aus, den Menschen und andere Systeme sehen.',
  'One line; it may hold placeholders.': 'Eine Zeile; sie darf Platzhalter enthalten.',
  'The longer text; it may hold placeholders.': 'Der längere Text; er darf Platzhalter enthalten.',
  "The camera that it is about; the trigger's where absent.":
    'Die Kamera, um die es geht; ohne Angabe die des Auslösers.',
  'Sends people a message.': 'Schickt Menschen eine Nachricht.',
  'The message; it may hold placeholders.': 'Die Nachricht; sie darf Platzhalter enthalten.',
  'Writes a line into the run.': 'Schreibt eine Zeile in den Vorgang.',
  'The line; it may hold placeholders.': 'Die Zeile; sie darf Platzhalter enthalten.',
  'Keeps a clip of a camera with the run.': 'Hebt einen Clip einer Kamera beim Vorgang auf.',
  "The camera role; the trigger's where absent.": 'Die Kamerarolle; ohne Angabe die des Auslösers.',
  'How long before the event it begins, where a recorder has that.':
    'Wie lange vor dem Ereignis er beginnt, wo ein Rekorder das hat.',
  'How long it goes on; a stream is recorded from when the step begins.':
    'Wie lange er dauert; ein Stream wird ab dem Beginn des Schritts aufgenommen.',
  'Keeps a picture of a camera with the run.': 'Hebt ein Bild einer Kamera beim Vorgang auf.',
  'Turns a camera to one of its presets.': 'Schwenkt eine Kamera auf eine ihrer Positionen.',
  'The name of the preset.': 'Der Name der Position.',
  'Sends a request to a destination that an admin listed.':
    'Schickt eine Anfrage an ein Ziel, das ein Admin eingetragen hat.',
  'The name of a listed destination: never an address.':
    'Der Name eines eingetragenen Ziels: nie eine Adresse.',
  'POST where absent.': 'Ohne Angabe POST.',
  'What is sent. Texts in it may hold placeholders.':
    'Was geschickt wird. Texte darin dürfen Platzhalter enthalten.',
  'Publishes to an MQTT destination that an admin listed.':
    'Veröffentlicht unter einem MQTT-Ziel, das ein Admin eingetragen hat.',
  'What is published. Texts in it may hold placeholders.':
    'Was veröffentlicht wird. Texte darin dürfen Platzhalter enthalten.',
  'Calls a service of Home Assistant.': 'Ruft einen Dienst von Home Assistant auf.',
  'The service that is called.': 'Der Dienst, der aufgerufen wird.',
  'What it is called for.': 'Wofür er aufgerufen wird.',
  'An entity id.': 'Die ID einer Entität.',
  'What the service is given besides; texts in it may hold placeholders.':
    'Was der Dienst sonst bekommt; Texte darin dürfen Platzhalter enthalten.',
  'Sets the mode of the site: it arms or disarms.':
    'Ändert die Betriebsart des Standorts: Schaltet scharf oder unscharf.',
  'The mode, such as armed_away.': 'Die Betriebsart, etwa armed_away.',
  'Why, as the NVR records it; it may hold placeholders.':
    'Warum, so wie der Rekorder es notiert; darf Platzhalter enthalten.',
  'Asks an app of the NVR to do one of its actions.':
    'Lässt eine App des Rekorders eine ihrer Aktionen ausführen.',
  'The id of the app.': 'Die ID der App.',
  'The action.': 'Die Aktion.',
  'What the action is given; texts in it may hold placeholders.':
    'Was die Aktion bekommt; Texte darin dürfen Platzhalter enthalten.',
  'Answers the message that started the run.': 'Beantwortet die Nachricht, mit der der Vorgang begann.',
  'The answer; it may hold placeholders.': 'Die Antwort; sie darf Platzhalter enthalten.',
  'Speaks through the loudspeaker of a camera.': 'Spricht über den Lautsprecher einer Kamera.',
  'What is said; it may hold placeholders.': 'Was gesagt wird; darf Platzhalter enthalten.',
  'Lists of the site.': 'Listen des Standorts.',
  'Roles of people.': 'Rollen von Personen.',
  'What sending there does.': 'Was es bewirkt, dorthin zu senden.',
  'Destinations: name → tell or move.': 'Ziele: Name → tell oder move.',
  'Apps of the NVR.': 'Apps des Rekorders.',
  'Abilities of the box.': 'Fähigkeiten der Box.',
  'What the site must have; written by export, checked on import.':
    'Was der Standort haben muss; beim Export geschrieben, beim Import geprüft.',
  'The version of the format.': 'Die Version des Formats.',
  'What people call it.': 'Wie man ihn nennt.',
  'What it is for.': 'Wozu er dient.',
  'off; test: everything runs, effects are only recorded; on. test where absent.':
    'off; test: Alles läuft, Wirkungen werden nur notiert; on. Ohne Angabe test.',
  'Least time between two runs for one camera; 1m where absent.':
    'Mindestabstand zweier Vorgänge für eine Kamera; ohne Angabe 1m.',
  'Of what only one run may be under way.': 'Wovon nur ein Vorgang zugleich laufen darf.',
  'The most runs an hour; 30 where absent.': 'Höchstens so viele Vorgänge je Stunde; ohne Angabe 30.',
  'The most AI calls an hour; 60 where absent.': 'Höchstens so viele KI-Anfragen je Stunde; ohne Angabe 60.',
  'How often it may run.': 'Wie oft er laufen darf.',
}
