/** Problems of a workflow: what it is made of, and what stands in it. */
export const problems = {
  '{1} must be {2?}.': '{1} muss {2} sein.',
  '{1} must be at most {2} characters.': '{1} darf höchstens {2} Zeichen haben.',
  'This must be {1?}.': 'Hier muss {1} stehen.',
  '{1} is empty: give {2?}, or take the line out.':
    '{1} ist leer: Geben Sie etwas an ({2}), oder nehmen Sie die Zeile heraus.',
  'This is empty: give {1?}, or take the line out.':
    'Das ist leer: Geben Sie etwas an ({1}), oder nehmen Sie die Zeile heraus.',
  '{1} must be text: put {2} in quotes.': '{1} muss Text sein: Setzen Sie {2} in Anführungszeichen.',
  'This must be text: put {1} in quotes.': 'Hier muss Text stehen: Setzen Sie {1} in Anführungszeichen.',
  '{1} must be one of {2}, not {3}.': '{1} muss eines von {2} sein, nicht {3}.',
  '{1} must be one of {2}.': '{1} muss eines von {2} sein.',
  'This must be one of {1}, not {2}.': 'Hier muss eines von {1} stehen, nicht {2}.',
  'This must be one of {1}.': 'Hier muss eines von {1} stehen.',
  '{1} is missing: add it.': '{1} fehlt: Fügen Sie es hinzu.',
  '{1} is missing: add it, {2?}.': '{1} fehlt: Fügen Sie es hinzu ({2}).',
  'There is no {1} here: did you mean {2}?': '{1} gibt es hier nicht: Meinten Sie {2}?',
  'There is no {1} here: use {2}.': '{1} gibt es hier nicht: Nehmen Sie {2}.',
  'There is no {1} here: take it out.': '{1} gibt es hier nicht: Nehmen Sie es heraus.',
  'Conditions are a list of at least one, such as [ site_mode: [armed_away] ].':
    'Bedingungen sind eine Liste mit mindestens einer, etwa [ site_mode: [armed_away] ].',
  'A condition is a map with one key out of {1}.':
    'Eine Bedingung ist eine Zuordnung mit einem Schlüssel aus {1}.',
  'A condition has one key: make this one a condition of its own.':
    'Eine Bedingung hat einen Schlüssel: Machen Sie aus diesem eine eigene Bedingung.',
  'Nothing gives this step a camera: add look_at: <role>.':
    'Nichts gibt diesem Schritt eine Kamera: Fügen Sie look_at: <Rolle> hinzu.',
  'A cron line has five fields (minute, hour, day of month, month, day of week): this one has {1}.':
    'Eine Cron-Zeile hat fünf Felder (Minute, Stunde, Tag des Monats, Monat, Wochentag): Diese hat {1}.',
  '{1} is no {2?}: use {3} to {4}, *, ranges, lists or steps.':
    '{1} passt nicht ins Feld {2}: Nehmen Sie {3} bis {4}, *, Bereiche, Listen oder Schritte.',
  'No month in this cron line has that day: it would never run.':
    'Kein Monat dieser Cron-Zeile hat diesen Tag: Der Ablauf liefe nie.',
  'The steps of {1} stand beside {2}:, not inside it: write {1}: in line with {3}:.':
    'Die Schritte von {1} stehen neben {2}:, nicht darin: Schreiben Sie {1}: auf die Höhe von {3}:.',
  '{1} means something else in this place: choose another word.':
    '{1} bedeutet an dieser Stelle etwas anderes: Wählen Sie ein anderes Wort.',
  'There is no {1} beside {2}: {3?}': 'Neben {2} gibt es {1} nicht: {3}',
  'There is no {1} in {2}: {3?}': 'In {2} gibt es {1} nicht: {3}',
  '{1} needs a path for {2}: add {2}: [] where nothing is to be done.':
    '{1} braucht einen Weg für {2}: Fügen Sie {2}: [] hinzu, wo nichts zu tun ist.',
  'Steps are a list: begin each with a dash, or write [] for none.':
    'Schritte sind eine Liste: Beginnen Sie jeden mit einem Strich, oder schreiben Sie [] für keinen.',
  'A step has one kind, here {1}: give {2} a dash of its own.':
    'Ein Schritt hat eine Art, hier {1}: Geben Sie {2} einen eigenen Strich.',
  'This is no step: write its kind, a colon and its parameters.':
    'Das ist kein Schritt: Schreiben Sie seine Art, einen Doppelpunkt und seine Parameter.',
  'This {1} is no step: write its kind, a colon and its parameters.':
    '„{1}“ ist kein Schritt: Schreiben Sie seine Art, einen Doppelpunkt und seine Parameter.',
  'There is no step {1}: {2?}': 'Einen Schritt {1} gibt es nicht: {2}',
  '{1} means something else already: choose another name.':
    '{1} bedeutet schon etwas anderes: Wählen Sie einen anderen Namen.',
  '{1} means something else already: give the field another name.':
    '{1} bedeutet schon etwas anderes: Geben Sie dem Feld einen anderen Namen.',
  'A name is a-z first, then a-z, 0-9, - or _.': 'Ein Name beginnt mit a-z, dann a-z, 0-9, - oder _.',
  '{1} is no name: use a-z first, then a-z, 0-9, - or _.':
    '{1} ist kein Name: Beginnen Sie mit a-z, dann a-z, 0-9, - oder _.',
  'then is missing: add the steps.': 'then fehlt: Fügen Sie die Schritte hinzu.',
  'A workflow needs at least one step under then.': 'Ein Ablauf braucht mindestens einen Schritt unter then.',
  'when is missing: add a trigger out of {1}.': 'when fehlt: Fügen Sie einen Auslöser hinzu, aus {1}.',
  'A trigger is a map with one key.': 'Ein Auslöser ist eine Zuordnung mit einem Schlüssel.',
  'when has exactly one trigger out of {1}.': 'when hat genau einen Auslöser aus {1}.',
  'A workflow has one trigger: make a second workflow for this one.':
    'Ein Ablauf hat einen Auslöser: Machen Sie für diesen einen zweiten Ablauf.',
  'The longest way through this file has {1} steps: {2} are the most; split it in two.':
    'Der längste Weg durch diese Datei hat {1} Schritte: Mehr als {2} dürfen es nicht sein; teilen Sie sie.',
  'The longest way through this file has {1} steps: more than {2} are hard to follow.':
    'Der längste Weg durch diese Datei hat {1} Schritte: Mehr als {2} sind kaum zu überblicken.',
  'Only a message can be replied to: use notify, or begin with the message trigger.':
    'Antworten lässt sich nur auf eine Nachricht: Nehmen Sie notify, oder beginnen Sie mit dem Auslöser message.',
  'The window ends when it begins: give another time, or leave the condition out.':
    'Das Zeitfenster endet, wenn es beginnt: Geben Sie eine andere Zeit an, oder lassen Sie die Bedingung weg.',
  'A value condition has exactly one of {1}.': 'Eine Bedingung value hat genau eines von {1}.',
  '{1} must be {2} or shorter.': '{1} darf höchstens {2} lang sein.',
  'every must be {1} or longer.': 'every muss mindestens {1} lang sein.',
  'The {1?} {2} is there twice: leave one out or reword it.':
    '{1} {2} steht zweimal da: Lassen Sie eines weg, oder formulieren Sie es um.',
  'for_each goes over exactly one of cameras, list and events.':
    'for_each geht genau eines durch: cameras, list oder events.',
  'An ai step with mode: {1} needs {2}: add it.':
    'Ein Schritt ai mit mode: {1} braucht {2}: Fügen Sie es hinzu.',
  '{1} belongs to mode: {2}: leave it out, or change the mode.':
    '{1} gehört zu mode: {2}: Lassen Sie es weg, oder ändern Sie mode.',
  'Nothing but the model decides here: add rules, or check the decision in what follows.':
    'Hier entscheidet allein das Modell: Fügen Sie Regeln hinzu, oder prüfen Sie die Entscheidung danach.',
  'Only a Look at a picture or frames can measure: change the input, or ask the model for this field.':
    'Messen lässt sich nur in einem Bild oder in mehreren: Ändern Sie input, oder fragen Sie das Modell nach diesem Feld.',
  'Rule {1} matches first whenever this one would: move this one up or leave it out.':
    'Regel {1} greift immer vor dieser: Schieben Sie diese nach oben, oder lassen Sie sie weg.',
  'No rule leads to {1}: add one, or leave the decision out.':
    'Keine Regel führt zu {1}: Fügen Sie eine hinzu, oder lassen Sie die Entscheidung weg.',
  '{1} is no free text: match it with a value or a list.':
    '{1} ist kein freier Text: Vergleichen Sie mit einem Wert oder einer Liste.',
  '{1} is no number: match it with a value or a list.':
    '{1} ist keine Zahl: Vergleichen Sie mit einem Wert oder einer Liste.',
  '{1} is a number: match it with a number.': '{1} ist eine Zahl: Vergleichen Sie mit einer Zahl.',
  '{1} is matched with yes or no.': '{1} wird mit yes oder no verglichen.',
  '{1} is text: put the value in quotes.': '{1} ist Text: Setzen Sie den Wert in Anführungszeichen.',
  '{1} is no decision of this step: {2?}.{3?}': '{1} ist keine Entscheidung dieses Schritts: {2}.{3}',
  '{1} is no field of this step: {2?}.{3?}': '{1} ist kein Feld dieses Schritts: {2}.{3}',
  '{1} is no option of {2}: {3?}.{4?}': '{1} ist keine Möglichkeit von {2}: {3}.{4}',
  'measure: {1} needs of: say person, vehicle, animal or a label of the detector.':
    'measure: {1} braucht of: Nennen Sie person, vehicle, animal oder ein Wort des Detektors.',
  'measure: {1} reads what is written: leave of out.':
    'measure: {1} liest, was geschrieben steht: Lassen Sie of weg.',
  'The default must be one of the replies: {1}.': 'default muss eine der Antworten sein: {1}.',
  'days goes with at only: name the days in the cron line, or use at.':
    'days geht nur mit at: Nennen Sie die Tage in der Cron-Zeile, oder nehmen Sie at.',
  'A schedule has exactly one of cron, every and at.': 'Ein Zeitplan hat genau eines von cron, every und at.',
  '{1} has no field {2}: use one of {3}.': '{1} hat kein Feld {2}: Nehmen Sie eines von {3}.',
}
