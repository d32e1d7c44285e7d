/** What is wrong with the site, as its file or the page sets it. */
export const siteFile = {
  '{1} is not a mode of this site: use one of {2}.':
    '{1} ist keine Betriebsart dieses Standorts: Nehmen Sie eine von {2}.',
  '{1} must be an address that begins with nats:// or tls://, such as nats://192.168.1.20:4222.':
    '{1} muss eine Adresse sein, die mit nats:// oder tls:// beginnt, etwa nats://192.168.1.20:4222.',
  '{1} holds credentials: write them under nats.auth, the secret part into the file secrets/<name> of the data folder.':
    '{1} enthält Zugangsdaten: Schreiben Sie sie unter nats.auth, den geheimen Teil in die Datei secrets/<Name> des Datenordners.',
  '{1}: {2} is not a name: use letters, digits, _ and -, beginning with a letter.':
    '{1}: {2} ist kein Name: Nehmen Sie Buchstaben, Ziffern, _ und -, mit einem Buchstaben am Anfang.',
  '{1} is not known: {2?}': '{1} ist nicht bekannt: {2}',
  '{1} needs {2}: add it.': '{1} braucht {2}: Fügen Sie es hinzu.',
  '{1}.url must be an address that begins with http.':
    '{1}.url muss eine Adresse sein, die mit http beginnt.',
  '{1}.url holds credentials: write an access token into the file secrets/<name> of the data folder, and token: { secret: <name> } beside it.':
    '{1}.url enthält Zugangsdaten: Schreiben Sie ein Token in die Datei secrets/<Name> des Datenordners, und token: { secret: <Name> } daneben.',
  '{1}.url ends with its host, port and path: take away the rest.':
    '{1}.url endet mit Rechner, Port und Pfad: Nehmen Sie den Rest weg.',
  '{1}.port must be a number from 1 to 65535.': '{1}.port muss eine Zahl von 1 bis 65535 sein.',
  '{1}.host must be the name or address of a mail server.':
    '{1}.host muss Name oder Adresse eines Mailservers sein.',
  '{1}.from must be a mail address, such as Gate <gate@site.example>.':
    '{1}.from muss eine Mailadresse sein, etwa Tor <gate@site.example>.',
  '{1}.to must be a mail address.': '{1}.to muss eine Mailadresse sein.',
  '{1} needs user and password: { secret: <name> } both, or neither.':
    '{1} braucht user und password: { secret: <Name> }, beide oder keines.',
  '{1} must not send a password in the clear: use tls or starttls, or leave user and password out.':
    '{1} darf kein Passwort unverschlüsselt senden: Nehmen Sie tls oder starttls, oder lassen Sie user und password weg.',
  '{1}.ca belongs to tls and starttls: leave it out.':
    '{1}.ca gehört zu tls und starttls: Lassen Sie es weg.',
  'This is nested too deeply: see the example of a site file.':
    'Das ist zu tief verschachtelt: Sehen Sie das Beispiel einer Standortdatei an.',
  'The file is larger than {1} kB: shorten its lists.':
    'Die Datei ist größer als {1} kB: Kürzen Sie ihre Listen.',
  'A site file holds one document: take out what is behind the line ---.':
    'Eine Standortdatei enthält ein Dokument: Nehmen Sie heraus, was nach der Zeile --- steht.',
  'Anchors and aliases are not used here: write it out.':
    'Anker und Aliasse gibt es hier nicht: Schreiben Sie es aus.',
  'No tag but !secret is used here: leave it out.':
    'Außer !secret gibt es hier keine Tags: Lassen Sie ihn weg.',
  'A key has to be a text.': 'Ein Schlüssel muss ein Text sein.',
  '{1} is there twice: keep one.': '{1} steht zweimal da: Behalten Sie eines.',
  '{1}.masks.{2} covers nothing: its points lie on one line.':
    '{1}.masks.{2} bedeckt nichts: Die Punkte liegen auf einer Linie.',
  '{1} must be one of folder:, snapshot:, rtsp:, onvif: and nvr:.':
    '{1} muss eines von folder:, snapshot:, rtsp:, onvif: und nvr: sein.',
  '{1}.folder must be the name of a folder.': '{1}.folder muss der Name eines Ordners sein.',
  '{1}.nvr needs the NVR: name it under nvr.': '{1}.nvr braucht den Rekorder: Nennen Sie ihn unter nvr.',
  '{1} must be an address that begins with {2&}.': '{1} muss eine Adresse sein, die mit {2} beginnt.',
  '{1} holds credentials: write { url, user, password: { secret: <name> } }, and the password into the file secrets/<name> of the data folder.':
    '{1} enthält Zugangsdaten: Schreiben Sie { url, user, password: { secret: <Name> } }, und das Passwort in die Datei secrets/<Name> des Datenordners.',
  '{1}.api needs {2}.destination: name the listed server.':
    '{1}.api braucht {2}.destination: Nennen Sie den eingetragenen Server.',
  '{1}.destination: {2} is not listed: add it under destinations.':
    '{1}.destination: {2} ist nicht eingetragen: Fügen Sie es unter destinations hinzu.',
  '{1}.destination: {2} moves things: list the model server as class: read.':
    '{1}.destination: {2} bewegt etwas: Tragen Sie den Modellserver mit class: read ein.',
  '{1} needs api: openai, ollama or kaic, whichever the server speaks.':
    '{1} braucht api: openai, ollama oder kaic, je nachdem, was der Server spricht.',
  'What was set in version {1} is not kept any more: set it anew.':
    'Was in Version {1} eingestellt war, ist nicht mehr da: Stellen Sie es neu ein.',
  'The list {1} is not set on this box: the site file says what is on it, if anything.':
    'Die Liste {1} ist nicht auf dieser Box gesetzt: Was darauf steht, sagt die Standortdatei.',
  'The rules are at version {1} by now: read them again and repeat your change.':
    'Die Regeln sind inzwischen bei Version {1}: Laden Sie sie neu und wiederholen Sie Ihre Änderung.',
  'There are more than {1} lists: put some together.':
    'Es gibt mehr als {1} Listen: Legen Sie einige zusammen.',
  '{1}: {2} is no camera of this site.': '{1}: {2} ist keine Kamera dieses Standorts.',
  '{1}: {2} is a camera of the site file: change it there, or choose another id.':
    '{1}: {2} ist eine Kamera der Standortdatei: Ändern Sie sie dort, oder wählen Sie eine andere ID.',
  '`set` must be {1?}.': '`set` muss {1} sein.',
  '{1} leads to this box itself: what only informs a program here is listed as {2}':
    '{1} führt zu dieser Box selbst: Was hier nur ein Programm informiert, wird so eingetragen: {2}',
  'The site file is empty: what it said before stays in force. Write “cameras: {}” for a site with nothing.':
    'Die Standortdatei ist leer: Was sie vorher sagte, bleibt in Kraft. Schreiben Sie „cameras: {}“ für einen Standort ohne etwas.',
  '{1} is gone: what it said stays in force until it is back.':
    '{1} ist weg: Was darin stand, bleibt in Kraft, bis die Datei wieder da ist.',
  '{1} is larger than {2} MB.': '{1} ist größer als {2} MB.',
  'time_zone must be the name of a time zone, such as Europe/Berlin.':
    'time_zone muss der Name einer Zeitzone sein, etwa Europe/Berlin.',
  'facts has {1} words: keep it to {2}.': 'facts hat {1} Wörter: Höchstens {2} dürfen es sein.',
  'destinations.{1}: nothing will be sent there: {2?}.':
    'destinations.{1}: Dorthin wird nichts gesendet: {2}.',
  '{1}there are {2} columns: keep the entry and a note.':
    '{1}es sind {2} Spalten: Behalten Sie den Eintrag und eine Notiz.',
  '{1}there is a note without an entry: write the entry before it.':
    '{1}eine Notiz steht ohne Eintrag: Schreiben Sie den Eintrag davor.',
  '{1}a text is longer than {2} characters: shorten it.':
    '{1}ein Text ist länger als {2} Zeichen: Kürzen Sie ihn.',
  '{1}a text holds a control character or a mark that turns its direction: type it anew.':
    '{1}ein Text enthält ein Steuerzeichen oder eines, das die Richtung ändert: Tippen Sie ihn neu.',
  '{1}a list has at most {2} entries: divide it.':
    '{1}eine Liste hat höchstens {2} Einträge: Teilen Sie sie.',
  '{1}a quote stands inside an entry: put the whole entry in quotes and double it.':
    '{1}in einem Eintrag steht ein Anführungszeichen: Setzen Sie den ganzen Eintrag in Anführungszeichen und verdoppeln Sie es.',
  '{1}something stands behind a closing quote: remove it.':
    '{1}hinter einem schließenden Anführungszeichen steht etwas: Entfernen Sie es.',
  '{1}a quote is opened and never closed.': '{1}ein Anführungszeichen wird geöffnet und nie geschlossen.',
  'cameras.{1} needs roles: its id cannot serve as one.':
    'cameras.{1} braucht roles: Die ID kann nicht als Rolle dienen.',
  'people.{1}.quiet_hours begin and end at {2}: write another end.':
    'people.{1}.quiet_hours beginnen und enden um {2}: Schreiben Sie ein anderes Ende.',
  'page_url must be the address of the page, such as https://gate.lan:8088.':
    'page_url muss die Adresse der Seite sein, etwa https://gate.lan:8088.',
  'faces.people: there is no {1} under people: add them, or take the name out.':
    'faces.people: Unter people gibt es {1} nicht: Fügen Sie die Person hinzu, oder nehmen Sie den Namen heraus.',
  "cameras.{1} names the secret {2}: give the camera's password anew, it gets a secret of its own.":
    'cameras.{1} nennt das Geheimnis {2}: Geben Sie das Passwort der Kamera neu ein, es bekommt ein eigenes.',
}
