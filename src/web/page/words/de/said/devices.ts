/** What the box says of cameras, servers and whatever else it reaches. */
export const devices = {
  '{1} needs the secret {2}: write it into the file secrets/{3} of the data folder.':
    '{1} braucht das Geheimnis {2}: Schreiben Sie es in die Datei secrets/{3} des Datenordners.',
  '{1} requests wait already: try again later.': 'Es warten schon {1} Anfragen: Versuchen Sie es später.',
  '{1} answered with {2}: is it a CompreFace?': '{1} antwortete mit {2}: Ist es ein CompreFace?',
  '{1?} It is asked again in {2} s.': '{1} In {2} s wird wieder gefragt.',
  '{1} answered {2}: check its address, user and password.':
    '{1} antwortete {2}: Prüfen Sie Adresse, Benutzer und Passwort.',
  '{1} answered {2}: check its address.': '{1} antwortete {2}: Prüfen Sie die Adresse.',
  '{1} sent more than {2} bytes: choose a smaller picture.':
    '{1} schickte mehr als {2} Bytes: Wählen Sie ein kleineres Bild.',
  '{1} sent no JPEG, PNG or WebP: check its address.':
    '{1} schickte weder JPEG noch PNG noch WebP: Prüfen Sie die Adresse.',
  "{1} is the NVR's, and there is no NVR: name it under nvr.":
    '{1} gehört zum Rekorder, und es gibt keinen: Nennen Sie ihn unter nvr.',
  'there is no NVR: name one under nvr in the site file':
    'Es gibt keinen Rekorder: Nennen Sie einen unter nvr in der Standortdatei',
  'Nobody listens to {1} on the MQTT broker: look whether its receiver is on.':
    'Beim MQTT-Broker hört niemand auf {1}: Sehen Sie nach, ob der Empfänger an ist.',
  "{1} is not listed: add it to the site's destinations.":
    '{1} ist nicht eingetragen: Fügen Sie es bei den Zielen des Standorts hinzu.',
  'The MQTT broker did not answer in time.': 'Der MQTT-Broker antwortete nicht rechtzeitig.',
  'The MQTT broker cannot be reached now.': 'Der MQTT-Broker ist gerade nicht zu erreichen.',
  'The MQTT broker did not take it: {1}.': 'Der MQTT-Broker nahm es nicht an: {1}.',
  'The MQTT broker at {1} cannot be used: {2?}.': 'Der MQTT-Broker unter {1} ist nicht zu benutzen: {2}.',
  'This webhook is not taken from your address.': 'Von Ihrer Adresse wird dieser Webhook nicht angenommen.',
  'The picture was not fetched: {1?}.': 'Das Bild wurde nicht geholt: {1}.',
  '{1} answered {2}, a redirect: list the address that really takes it.':
    '{1} antwortete {2}, eine Weiterleitung: Tragen Sie die Adresse ein, die es wirklich annimmt.',
  '{1} was not contacted: {2?}.': '{1} wurde nicht angesprochen: {2}.',
  '{1?} cannot be reached: it did not answer in time.':
    '{1} ist nicht zu erreichen: Es kam nicht rechtzeitig eine Antwort.',
  '{1?} cannot be reached: {2?}.': '{1} ist nicht zu erreichen: {2}.',
  '{1} answered with a web page: look whether {2} is the address of its API.':
    '{1} antwortete mit einer Webseite: Sehen Sie nach, ob {2} die Adresse der API ist.',
  '{1} did not answer in time.': '{1} antwortete nicht rechtzeitig.',
  '{1} did not answer {2}.': '{1} antwortete nicht {2}.',
  '{1} redirects {2}: list the address that really takes it.':
    '{1} leitet weiter {2}: Tragen Sie die Adresse ein, die es wirklich annimmt.',
  '{1}: the mail server refuses user and password.': '{1}: Der Mailserver lehnt Benutzer und Passwort ab.',
  '{1}: the mail server does not take mails from this sender ({2}).':
    '{1}: Der Mailserver nimmt von diesem Absender keine Mails an ({2}).',
  'The mail server does not take it ({1}).': 'Der Mailserver nimmt es nicht an ({1}).',
  '{1}: the mail server asks for patience ({2}).': '{1}: Der Mailserver bittet um Geduld ({2}).',
  'The mail server does not take the address.': 'Der Mailserver nimmt die Adresse nicht an.',
  '{1}: the mail server cannot be used ({2}).': '{1}: Der Mailserver ist nicht zu benutzen ({2}).',
  '{1} is not among channels of the site file.': '{1} steht nicht unter channels der Standortdatei.',
  'Nobody is told by {1}: name it at a person.':
    'Über {1} wird niemand benachrichtigt: Nennen Sie ihn bei einer Person.',
  'Nobody is told there any more.': 'Dort wird niemand mehr benachrichtigt.',
  'It failed a moment ago.': 'Es misslang gerade eben.',
  '{1} does not take it ({2}).': '{1} nimmt es nicht an ({2}).',
  '{1} sent no picture within {2} s.': '{1} schickte innerhalb von {2} s kein Bild.',
  '{1} sent no picture: look whether its stream plays.':
    '{1} schickte kein Bild: Sehen Sie nach, ob der Stream läuft.',
  '{1} sent no picture.': '{1} schickte kein Bild.',
  '{1} wants a user and a password: write them into the site file.':
    '{1} verlangt Benutzer und Passwort: Tragen Sie sie ein.',
  '{1} refused its user or password: check them.': '{1} lehnte Benutzer oder Passwort ab: Prüfen Sie beide.',
  '{1} points elsewhere: write the address at which it really streams into the site file.':
    '{1} verweist anderswohin: Tragen Sie die Adresse ein, unter der sie wirklich sendet.',
  '{1} has no stream at this address: check the path behind its host.':
    '{1} hat unter dieser Adresse keinen Stream: Prüfen Sie den Pfad hinter dem Rechner.',
  '{1} has no stream to spare ({2}): close other viewers, or allow more streams in it.':
    '{1} hat keinen Stream frei ({2}): Schließen Sie andere Betrachter, oder erlauben Sie mehr Streams.',
  '{1} does not speak RTSP there: check address and port.':
    '{1} spricht dort kein RTSP: Prüfen Sie Adresse und Port.',
  '{1} closed the connection{2}.': '{1} schloss die Verbindung{2}.',
  '{1} needs ffmpeg: install it (apt-get install ffmpeg).':
    '{1} braucht ffmpeg: Installieren Sie es (apt-get install ffmpeg).',
  '{1} streams what cannot be read: choose H.264 in it.':
    '{1} sendet, was sich nicht lesen lässt: Stellen Sie dort H.264 ein.',
  '{1} sent no whole picture within {2} s: let it send key frames more often.':
    '{1} schickte innerhalb von {2} s kein ganzes Bild: Lassen Sie sie öfter Schlüsselbilder senden.',
  '{1} sent no whole picture: record for longer.': '{1} schickte kein ganzes Bild: Nehmen Sie länger auf.',
  'The disk is nearly full: nothing was recorded. Make room, or keep less.':
    'Der Datenträger ist fast voll: Nichts wurde aufgenommen. Schaffen Sie Platz, oder heben Sie weniger auf.',
  'NATS is not connected.': 'NATS ist nicht verbunden.',
  'NATS at {1}: it was not reached yet.': 'NATS unter {1}: noch nicht erreicht.',
  "NATS does not let this user subscribe to {1}: allow it in the server's permissions.":
    'NATS lässt diesen Benutzer {1} nicht abonnieren: Erlauben Sie es in den Rechten des Servers.',
  "NATS does not let this user publish on {1}: allow it in the server's permissions.":
    'NATS lässt diesen Benutzer auf {1} nicht veröffentlichen: Erlauben Sie es in den Rechten des Servers.',
  'The stream {1} was not reached yet.': 'Der Stream {1} wurde noch nicht erreicht.',
  '{1} does not take the token: make a new long-lived one there and write it into the secret.':
    '{1} nimmt das Token nicht an: Erzeugen Sie dort ein neues langlebiges und schreiben Sie es in das Geheimnis.',
  '{1} cannot be turned.': '{1} lässt sich nicht schwenken.',
  '{1} has no preset {2}: it has {3}.': '{1} hat keine Position {2}: Es gibt {3}.',
  '{1} offers no {2} by ONVIF: name another source for it.':
    '{1} bietet über ONVIF kein {2}: Nennen Sie dafür eine andere Quelle.',
  '{1} does not speak ONVIF there: check the address of its device service.':
    '{1} spricht dort kein ONVIF: Prüfen Sie die Adresse des Gerätedienstes.',
  '{1} did not say which apps it has.': '{1} sagte nicht, welche Apps er hat.',
  '{1} knows no mode {2}: use one of its own, or site_mode: box under nvr.':
    '{1} kennt keine Betriebsart {2}: Nehmen Sie eine von seinen, oder site_mode: box unter nvr.',
  '{1} did not say its mode.': '{1} sagte seine Betriebsart nicht.',
  '{1} is in the mode {2}, which this site does not have: add it under modes.':
    '{1} ist in der Betriebsart {2}, die dieser Standort nicht hat: Fügen Sie sie unter modes hinzu.',
  '{1} answered with what cannot be read: is nvr.url the address of its API?':
    '{1} antwortete mit Unlesbarem: Ist nvr.url die Adresse der API?',
  '{1} did not say what happened.': '{1} sagte nicht, was geschah.',
  '{1} did not say which cameras it has.': '{1} sagte nicht, welche Kameras er hat.',
  '{1} has no camera {2}: name one that it has under nvr of its source.':
    '{1} hat keine Kamera {2}: Nennen Sie eine, die er hat, unter nvr ihrer Quelle.',
  '{1} sent no JPEG, PNG or WebP: is nvr.url the address of its API?':
    '{1} schickte weder JPEG noch PNG noch WebP: Ist nvr.url die Adresse der API?',
  '{1} did not have {2} do {3} ({4}): {5?}.': '{1} ließ {2} nicht {3} tun ({4}): {5}.',
}
