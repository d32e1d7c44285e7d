/** What the box says when it refuses: access, requests and what is sent. */
export const refusals = {
  '`{1}` must be at most {2} characters.': '`{1}` darf höchstens {2} Zeichen haben.',
  '`{1}` may have {2} characters at most.': '`{1}` darf höchstens {2} Zeichen haben.',
  '`{1}` must be a time such as 2026-11-30T22:00:00Z.': '`{1}` muss eine Zeit wie 2026-11-30T22:00:00Z sein.',
  '{1} reaches beyond the cameras that you may see: {2?}.':
    '{1} reicht über die Kameras hinaus, die Sie sehen dürfen: {2}.',
  'That is not a camera that you may see.': 'Diese Kamera dürfen Sie nicht sehen.',
  'This concerns all cameras: ask somebody who may see them all.':
    'Das betrifft alle Kameras: Fragen Sie jemanden, der sie alle sehen darf.',
  '`{1}` must be a number from 1 to {2}.': '`{1}` muss eine Zahl von 1 bis {2} sein.',
  '`{1}` must be of {2}.': '`{1}` muss eines von {2} sein.',
  'The body is larger than {1}: send less at once.':
    'Das ist größer als {1}: Schicken Sie weniger auf einmal.',
  'The body broke off before its end: send it again.':
    'Die Übertragung brach vor dem Ende ab: Schicken Sie es noch einmal.',
  'The body is not UTF-8 text.': 'Das ist kein Text in UTF-8.',
  'The multipart form is broken or incomplete: send it again.':
    'Das Formular ist beschädigt oder unvollständig: Schicken Sie es noch einmal.',
  'Send the body as {1&}.': 'Schicken Sie es als {1}.',
  '`{1}` must be true or false.': '`{1}` muss true oder false sein.',
  '`{1}` must be a whole number, {2} or more.': '`{1}` muss eine ganze Zahl sein, mindestens {2}.',
  '`{1}` must be a text.': '`{1}` muss ein Text sein.',
  'Version {1} does not hold at this site any more: {2?} Change the site so that it does, or save a file that does.':
    'Version {1} gilt an diesem Standort nicht mehr: {2} Ändern Sie den Standort, bis sie gilt, oder speichern Sie eine Datei, die gilt.',
  'The file has {1} error: {2?}. Once mended, more may be found.':
    'Die Datei hat {1} Fehler: {2}. Ist er behoben, finden sich vielleicht weitere.',
  'The file has {1} errors: {2?}. Once mended, more may be found.':
    'Die Datei hat {1} Fehler: {2}. Sind sie behoben, finden sich vielleicht weitere.',
  'The delivery id must be 1 to 128 visible ASCII characters.':
    'Die ID der Lieferung muss 1 bis 128 sichtbare ASCII-Zeichen haben.',
  'Send one Host: the name of the box.': 'Schicken Sie einen Host: den Namen der Box.',
  'This box answers to localhost and 127.0.0.1 only: there is no login yet.':
    'Diese Box antwortet nur unter localhost und 127.0.0.1: Es gibt noch keine Anmeldung.',
  'Other web sites may not use this box: open its own page instead.':
    'Andere Webseiten dürfen diese Box nicht benutzen: Öffnen Sie ihre eigene Seite.',
  'Something went wrong here: the log of the box says what.':
    'Hier ging etwas schief: Was, steht im Protokoll der Box.',
  'There is no such address.': 'Diese Adresse gibt es nicht.',
  'There is no such case.': 'Diesen Fall gibt es nicht.',
  'There is no such file.': 'Diese Datei gibt es nicht.',
  'There is no such hook.': 'Diesen Webhook gibt es nicht.',
  'There is no such list.': 'Diese Liste gibt es nicht.',
  'There is no such part.': 'Diesen Teil gibt es nicht.',
  'There is no such picture.': 'Dieses Bild gibt es nicht.',
  'There is no such question.': 'Diese Frage gibt es nicht.',
  'There is no such run.': 'Diesen Vorgang gibt es nicht.',
  'There is no such version.': 'Diese Version gibt es nicht.',
  'There is no such workflow.': 'Diesen Ablauf gibt es nicht.',
  'There is no such {1?}.': 'Das gibt es nicht: {1}.',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  '{1} requests wait for answers already: ask again in a moment.':
    'Es warten schon {1} Anfragen auf Antworten: Fragen Sie gleich noch einmal.',
  'Too much is being sent at once: send it again in a moment.':
    'Es wird gerade zu viel geschickt: Versuchen Sie es gleich noch einmal.',
  'Too many pages are open on this box: close some.':
    'An dieser Box sind zu viele Seiten offen: Schließen Sie einige.',
  'There are {1} bytes.': 'Es sind {1} Bytes.',
  'Gatehouse is starting: try again in a moment.': 'Gatehouse startet: Versuchen Sie es gleich noch einmal.',
  "A session is for the box's own page: programs use a token.":
    'Eine Sitzung ist für die Seite der Box: Programme nehmen ein Token.',
  'Sign in, or show a token of this box.': 'Melden Sie sich an, oder zeigen Sie ein Token dieser Box.',
  'This box has no admin yet: claim it with the code that its console shows.':
    'Diese Box hat noch keinen Admin: Übernehmen Sie sie mit dem Code, den ihre Konsole zeigt.',
  'Nobody has a login here yet: claim the box first.':
    'Hier hat noch niemand eine Anmeldung: Übernehmen Sie zuerst die Box.',
  'This token is not for that.': 'Dafür ist dieses Token nicht.',
  'You may not do that here: ask an admin.': 'Das dürfen Sie hier nicht: Fragen Sie einen Admin.',
  'The page could not be built.': 'Die Seite ließ sich nicht bauen.',
  'Send one `event` field.': 'Schicken Sie ein Feld `event`.',
  'Send `picture` as a file (with curl: -F picture=@photo.jpg).':
    'Schicken Sie `picture` als Datei (mit curl: -F picture=@photo.jpg).',
  'The form has a part “{1}” that nothing reads: send pictures as `picture` and values as JSON in `event`.':
    'Das Formular hat einen Teil „{1}“, den nichts liest: Schicken Sie Bilder als `picture` und Werte als JSON in `event`.',
  'The body must be a JSON object.': 'Es muss ein JSON-Objekt sein.',
  '`event` must be a JSON object.': '`event` muss ein JSON-Objekt sein.',
  '`event` is larger than {1} kB.': '`event` ist größer als {1} kB.',
  'Send at most {1} pictures.': 'Schicken Sie höchstens {1} Bilder.',
  'The picture is not JPEG, PNG or WebP.': 'Das Bild ist weder JPEG noch PNG noch WebP.',
  '`picture` must be base64.': '`picture` muss base64 sein.',
  'A part of the form is too large.': 'Ein Teil des Formulars ist zu groß.',
  'Send the text of the file as the body, or as `yaml`.':
    'Schicken Sie den Text der Datei selbst, oder als `yaml`.',
  '`yaml` must be the text of the file.': '`yaml` muss der Text der Datei sein.',
  '`names.{1}` must say for each name which one it is here.':
    '`names.{1}` muss zu jedem Namen sagen, welcher er hier ist.',
  '`https` must be off, own or files.': '`https` muss off, own oder files sein.',
  'The command line says --{1}: start the box without it.':
    'Die Befehlszeile sagt --{1}: Starten Sie die Box ohne das.',
  'Nothing waits to be confirmed.': 'Es ist nichts zu bestätigen.',
  'Nobody confirmed it in time.': 'Niemand hat es rechtzeitig bestätigt.',
  '`host` must be an address of this machine, 0.0.0.0 for all of them or 127.0.0.1 for itself.':
    '`host` muss eine Adresse dieses Geräts sein, 0.0.0.0 für alle oder 127.0.0.1 nur für sich selbst.',
  '`port` must be a number from 1 to 65535.': '`port` muss eine Zahl von 1 bis 65535 sein.',
  'That certificate cannot be used: {1?}.': 'Dieses Zertifikat lässt sich nicht verwenden: {1}.',
  'The box is not there yet: confirm it at its new address.':
    'Die Box ist dort noch nicht: Bestätigen Sie es an ihrer neuen Adresse.',
  'Port {1} is in use: stop the program that holds it, or choose another with --port.':
    'Port {1} ist belegt: Beenden Sie das Programm, das ihn hält, oder wählen Sie mit --port einen anderen.',
  'The box cannot listen at {1} port {2}: {3?}.': 'Die Box kann an {1} Port {2} nicht hören: {3}.',
  'There is no such user.': 'Diesen Benutzer gibt es nicht.',
  'This box has an admin already: ask them for a login.':
    'Diese Box hat schon einen Admin: Bitten Sie ihn um eine Anmeldung.',
  'This box has an admin already: sign in.': 'Diese Box hat schon einen Admin: Melden Sie sich an.',
  'There is a user {1} already: choose another name.':
    'Einen Benutzer {1} gibt es schon: Wählen Sie einen anderen Namen.',
  'There are {1} users: remove one first.': 'Es gibt {1} Benutzer: Entfernen Sie erst einen.',
  '`role` must be viewer, operator or admin.': '`role` muss viewer, operator oder admin sein.',
  'An admin sees all cameras: choose operator or viewer, or leave `cameras` out.':
    'Ein Admin sieht alle Kameras: Wählen Sie Bediener oder Zuschauer, oder geben Sie keine Kameras an.',
  '{1} is the last admin: make somebody else an admin first.':
    '{1} ist der letzte Admin: Machen Sie erst jemand anderen zum Admin.',
  'Too many wrong tries: try again in {1?}.': 'Zu viele falsche Versuche: Versuchen Sie es wieder in {1}.',
  'Too many wrong tries: try again in {1?}, or have it unlocked on the box (gatehouse users unlock NAME).':
    'Zu viele falsche Versuche: Versuchen Sie es wieder in {1}, oder lassen Sie es an der Box entsperren (gatehouse users unlock NAME).',
  'Too many wrong tries: try again in {1?}, or make one on the box (gatehouse users add NAME --role admin).':
    'Zu viele falsche Versuche: Versuchen Sie es wieder in {1}, oder legen Sie an der Box einen an (gatehouse users add NAME --role admin).',
  'A name is 1 to 64 letters, digits, spaces or . _ - and begins with a letter.':
    'Ein Name hat 1 bis 64 Buchstaben, Ziffern, Leerzeichen oder . _ - und beginnt mit einem Buchstaben.',
  '“{1}” is what the box calls itself: choose another name.':
    'So nennt die Box sich selbst („{1}“): Wählen Sie einen anderen Namen.',
  'Name what the token is for, in 1 to 64 letters, digits, spaces or . _ -':
    'Sagen Sie, wofür das Token ist, mit 1 bis 64 Buchstaben, Ziffern, Leerzeichen oder . _ -',
  '`cameras` must be a list of camera ids and role:<role>, or null for all.':
    '`cameras` muss eine Liste von Kamera-IDs und role:<Rolle> sein, oder null für alle.',
  'Name at least one camera, or null for all.': 'Nennen Sie mindestens eine Kamera, oder alle.',
  'Too many sign in at once: try again in a moment.':
    'Zu viele melden sich zugleich an: Versuchen Sie es gleich noch einmal.',
  'A password has {1} to {2} characters: a few words in a row do well.':
    'Ein Passwort hat {1} bis {2} Zeichen: Ein paar Wörter hintereinander sind gut.',
  'That password is easily guessed: take a few words in a row.':
    'Dieses Passwort ist leicht zu erraten: Nehmen Sie ein paar Wörter hintereinander.',
  '{1} has {2} tokens: take one back first.': '{1} hat {2} Tokens: Nehmen Sie erst eines zurück.',
  'There is no such token.': 'Dieses Token gibt es nicht.',
  '`scopes` must be a list of {1}.': '`scopes` muss eine Liste aus {1} sein.',
  '{1} is {2} and may not do {3}: a token may no more than they.':
    '{1} ist {2} und darf {3} nicht: Ein Token darf nicht mehr als sein Besitzer.',
  '`days` must be a whole number from 1 to {1}, or null.':
    '`days` muss eine ganze Zahl von 1 bis {1} sein, oder null.',
  'That is no token of this box, or not any more.': 'Das ist kein Token dieser Box, oder keines mehr.',
  'This box has no admin yet and answers its own machine only: claim it before you put a proxy before it.':
    'Diese Box hat noch keinen Admin und antwortet nur ihrem eigenen Gerät: Übernehmen Sie sie, bevor ein Proxy davor kommt.',
  'That is not the code that the console of the box shows.':
    'Das ist nicht der Code, den die Konsole der Box zeigt.',
  'Name or password is wrong.': 'Name oder Passwort ist falsch.',
  'The present password is wrong.': 'Das jetzige Passwort ist falsch.',
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'This link does not hold any more: sign in to answer.':
    'Dieser Link gilt nicht mehr: Melden Sie sich an, um zu antworten.',
  '`state` must be off, test or on.': '`state` muss off, test oder on sein.',
  '`do` must be `check` or `install`.': '`do` muss `check` oder `install` sein.',
  '{1} does not start by a button.': '{1} startet nicht durch einen Knopf.',
  '{1} does not start by a message.': '{1} startet nicht durch eine Nachricht.',
  'No workflow listens to this.': 'Darauf hört kein Ablauf.',
  'This was taken before.': 'Das wurde schon angenommen.',
  'Send the backup as the body.': 'Schicken Sie die Sicherung selbst.',
  'The passphrase is one line of at least {1} characters.':
    'Die Passphrase ist eine Zeile mit mindestens {1} Zeichen.',
  '`for` must be a duration such as `30m` or `8h`, or null.':
    '`for` muss eine Dauer wie `30m` oder `8h` sein, oder null.',
  'Name the `user` whose token it is.': 'Nennen Sie den Benutzer, dessen Token es ist.',
  'Only an admin makes tokens for others.': 'Nur ein Admin macht Tokens für andere.',
  '`version` must be the number of a version.': '`version` muss die Nummer einer Version sein.',
  '`expected` must be a text, and so must `note` be.': '`expected` und `note` müssen Texte sein.',
  '`open` must be true or false.': '`open` muss true oder false sein.',
  '`reply` must be the text of one of the replies.': '`reply` muss der Text einer der Antworten sein.',
  '`value` must be there; null: as the site file says.':
    '`value` muss da sein; null: wie es die Standortdatei sagt.',
  '`to` must be the version that is to come back.': '`to` muss die Version sein, die zurückkommen soll.',
  '`entries` must be a list of texts or { value, note }.':
    '`entries` muss eine Liste von Texten oder { value, note } sein.',
  'The body is empty: send the entries of {1}, or ?empty=true to leave it without any.':
    'Es ist leer: Schicken Sie die Einträge von {1}, oder ?empty=true, um die Liste zu leeren.',
  '`text` must be what you want to say.': '`text` muss sein, was Sie sagen wollen.',
  '`after` must be the `seq` of an answer.': '`after` muss die `seq` einer Antwort sein.',
  '`wait` must be a duration such as `20s`, {1}s at most.':
    '`wait` muss eine Dauer wie `20s` sein, höchstens {1}s.',
  'Look at the preview first, then send `confirmed`.':
    'Sehen Sie sich zuerst die Vorschau an, dann bestätigen Sie.',
  'Send one of: `plate`, `face`, or `from` with `until`.':
    'Schicken Sie eines davon: `plate`, `face`, oder `from` mit `until`.',
  'A span has `from` and `until`.': 'Eine Zeitspanne hat `from` und `until`.',
  'A time is like 2026-11-30T14:30, as the clock of the site shows it, or with its offset.':
    'Eine Zeit sieht aus wie 2026-11-30T14:30, wie die Uhr des Standorts sie zeigt, oder mit ihrem Versatz.',
  '`link` must be the last part of the link.': '`link` muss der letzte Teil des Links sein.',
  'Its file is not understood any more: open it and mend it.':
    'Seine Datei wird nicht mehr verstanden: Öffnen und beheben Sie sie.',
}
