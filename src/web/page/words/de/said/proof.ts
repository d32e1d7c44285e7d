/** Problems of a workflow with the names around it, and with what it would move. */

const GUARD =
  'put it under a reply of an ask_person, or under the then of an if with in_list on a clean identity such as "{plate}"'
const BEWACHT =
  'Setzen Sie es unter eine Antwort von ask_person, oder unter then eines if mit in_list über eine saubere Identität wie "{plate}"'

export const proof = {
  'Nothing before this place gives {{1}}: {2?}': 'Nichts vor dieser Stelle gibt {{1}}: {2}',
  '{{1}} may come from several places: {2?}.': '{{1}} kann von mehreren Stellen kommen: {2}.',
  'No step before this one bears the name {1}: {2?}': 'Kein Schritt vor diesem heißt {1}: {2}',
  'The step at {1} already bears the name {2}: choose another.':
    'Der Schritt bei {1} heißt schon {2}: Wählen Sie einen anderen Namen.',
  'Nothing will be sent to {1}: {2?}.': 'An {1} wird nichts geschickt: {2}.',
  'No camera bears the role {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort hat keine Kamera die Rolle {1}: Geben Sie sie einer, oder ändern Sie den Namen.{2}',
  'No list is called {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort heißt keine Liste {1}: Legen Sie sie an, oder ändern Sie den Namen.{2}',
  'No person bears the role {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort hat niemand die Rolle {1}: Geben Sie sie jemandem, oder ändern Sie den Namen.{2}',
  'No person is called {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort heißt niemand {1}: Legen Sie die Person an, oder ändern Sie den Namen.{2}',
  'No destination is called {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort heißt kein Ziel {1}: Legen Sie es an, oder ändern Sie den Namen.{2}',
  'No app is called {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort heißt keine App {1}: Richten Sie sie ein, oder ändern Sie den Namen.{2}',
  'No tool is called {1} at this site: add it to the site, or change the name.{2?}':
    'An diesem Standort heißt kein Werkzeug {1}: Richten Sie es ein, oder ändern Sie den Namen.{2}',
  'There is no tool {1}: use one of {2}.{3?}': 'Ein Werkzeug {1} gibt es nicht: Nehmen Sie eines von {2}.{3}',
  'Whether a site has the {1?} {2} is not known here: {3?}, or check with a site.{4?}':
    'Ob ein Standort {1} {2} hat, ist hier nicht bekannt: {3}, oder prüfen Sie an einem Standort.{4}',
  '{1} is a topic on the MQTT broker: send to it with mqtt.':
    '{1} ist ein Thema beim MQTT-Broker: Senden Sie mit mqtt.',
  '{1} is an address: send to it with webhook, or list a topic for mqtt.':
    '{1} ist eine Adresse: Senden Sie mit webhook, oder tragen Sie für mqtt ein Thema ein.',
  'No camera that bears {1&} has a zone {2} at this site: draw it under zones of the camera in the site file, or change the name.{3?}':
    'An diesem Standort hat keine Kamera mit der Rolle {1} eine Zone {2}: Zeichnen Sie sie an der Kamera, oder ändern Sie den Namen.{3}',
  'This site lists {1} as {2}: write {3} here, or set the class of destinations.{4} in site.yaml to {5}.':
    'Dieser Standort führt {1} als {2}: Schreiben Sie hier {3}, oder setzen Sie in site.yaml die Klasse von destinations.{4} auf {5}.',
  'Whether the NVR has the app {1} could not be checked yet: what it does counts as a move until then.':
    'Ob der Rekorder die App {1} hat, ließ sich noch nicht prüfen: Bis dahin gilt, was sie tut, als Bewegung.',
  'The app {1} has no action {2}: {3?}.': 'Die App {1} hat keine Aktion {2}: {3}.',
  '{1}: {2} needs {3}: add it.': '{1}: {2} braucht {3}: Fügen Sie es hinzu.',
  '{1}: {2} does not take {3}: {4?}.': '{1}: {2} nimmt {3} nicht: {4}.',
  '{1}: {2} takes {3?} for {4}.': '{1}: {2} nimmt {3} für {4}.',
  '{1}: {2} takes one of {3} for {4}.': '{1}: {2} nimmt eines von {3} für {4}.',
  'No app of the NVR says that it raises alerts as {1}: {2?}':
    'Keine App des Rekorders sagt, dass sie als {1} Alarme auslöst: {2}',
  'A file has at most {1} steps, all paths together: split it.':
    'Eine Datei hat höchstens {1} Schritte, alle Wege zusammen: Teilen Sie sie.',
  '{1} moves something here, {2?}': '{1} bewegt hier etwas, {2}',
  'A critical alert needs a guard like a move: lower it to high, or it comes {1?}':
    'Ein kritischer Alarm braucht eine Wache wie eine Bewegung: Setzen Sie ihn auf high; so kommt er, {1}',
  '{{1}} may have been made by AI and {2?} may not hold it: write a fixed text or a clean value.':
    '{{1}} kann von KI stammen, und {2} darf das nicht enthalten: Schreiben Sie einen festen Text oder einen sauberen Wert.',
  [GUARD]: BEWACHT,
  [`and neither a person nor a plain rule decides it: ${GUARD}.`]: `und weder ein Mensch noch eine feste Regel entscheidet darüber: ${BEWACHT}.`,
  [`and AI may stand behind what starts this workflow: ${GUARD}.`]: `und hinter dem, was diesen Ablauf startet, kann KI stehen: ${BEWACHT}.`,
  [`after AI with no person or plain rule in between: ${GUARD}.`]: `nach KI, ohne dass ein Mensch oder eine feste Regel dazwischen steht: ${BEWACHT}.`,
  'behind a branch, whichever path ran: move it into the reply or the then that should decide it.':
    'hinter einer Verzweigung, gleich welcher Weg lief: Verschieben Sie es in die Antwort oder das then, das darüber entscheiden soll.',
  [`and its conditions name no identity (time, mode, camera, not and elapsed never guard): ${GUARD}.`]: `und seine Bedingungen nennen keine Identität (Uhrzeit, Betriebsart, Kamera, not und elapsed bewachen nie): ${BEWACHT}.`,
  [`and its conditions compare a value that AI or an outsider may have made: ${GUARD}.`]: `und seine Bedingungen vergleichen einen Wert, der von KI oder von außen stammen kann: ${BEWACHT}.`,
  'more than 15 minutes after its guard: ask again, or check the identity again, right before it.':
    'mehr als 15 Minuten nach seiner Wache: Fragen Sie unmittelbar davor noch einmal, oder prüfen Sie dort die Identität.',
  [`in an else, which guards nothing: ${GUARD}.`]: `in einem else, das nichts bewacht: ${BEWACHT}.`,
  'under the default reply, which nobody may have given: make a reply that moves nothing the default.':
    'unter der Antwort von default, die vielleicht niemand gab: Nehmen Sie dafür eine, die nichts bewegt.',
  'under no_answer, where no person decided: move it under a reply that somebody gives.':
    'unter no_answer, wo niemand entschied: Verschieben Sie es unter eine Antwort, die jemand gibt.',
  [`in always, which runs whatever happened before: ${GUARD}.`]: `in always, das läuft, gleich was vorher geschah: ${BEWACHT}.`,
}
