/** Problems of a file as YAML, and of its frame. */
export const syntax = {
  'Indent with spaces, not with tabs.': 'Rücken Sie mit Leerzeichen ein, nicht mit Tabulatoren.',
  'Put this text in quotes: it holds a colon.':
    'Setzen Sie diesen Text in Anführungszeichen: Er enthält einen Doppelpunkt.',
  'Put this text in quotes: it begins with a character that YAML keeps for itself.':
    'Setzen Sie diesen Text in Anführungszeichen: Er beginnt mit einem Zeichen, das für YAML etwas bedeutet.',
  'Put this text in quotes: it begins with a brace.':
    'Setzen Sie diesen Text in Anführungszeichen: Er beginnt mit einer geschweiften Klammer.',
  'A key must stand on one line, followed by a colon.':
    'Ein Schlüssel steht in einer Zeile, gefolgt von einem Doppelpunkt.',
  'A closing quote, bracket or brace, or a colon, is missing here.':
    'Hier fehlt ein schließendes Anführungszeichen, eine Klammer oder ein Doppelpunkt.',
  'Indent this like its neighbours, and close what was opened.':
    'Rücken Sie dies wie seine Nachbarn ein und schließen Sie, was geöffnet wurde.',
  'This does not belong here: check quotes, brackets and indentation.':
    'Das gehört nicht hierher: Prüfen Sie Anführungszeichen, Klammern und Einrückung.',
  'Use a known escape in double quotes, or single quotes.':
    'In doppelten Anführungszeichen gelten nur bekannte Escape-Zeichen: Nehmen Sie eines davon, oder einfache Anführungszeichen.',
  'A key is at most 1024 characters long.': 'Ein Schlüssel hat höchstens 1024 Zeichen.',
  'A key has at most {1} characters.': 'Ein Schlüssel hat höchstens {1} Zeichen.',
  'This is not YAML: check quotes, brackets and indentation.':
    'Das ist kein YAML: Prüfen Sie Anführungszeichen, Klammern und Einrückung.',
  'This is not YAML that can be read: write it anew, step by step.':
    'Dieses YAML ist nicht zu lesen: Schreiben Sie es neu, Schritt für Schritt.',
  'A workflow file has at most {1} KiB: shorten it or split it.':
    'Die Datei eines Ablaufs hat höchstens {1} KiB: Kürzen oder teilen Sie sie.',
  'Remove the invisible or broken character here.':
    'Entfernen Sie das unsichtbare oder beschädigte Zeichen an dieser Stelle.',
  'Remove the invisible characters from this key.':
    'Entfernen Sie die unsichtbaren Zeichen aus diesem Schlüssel.',
  'Remove the invisible characters from this text.':
    'Entfernen Sie die unsichtbaren Zeichen aus diesem Text.',
  'The file is empty: a workflow has at least name, when and then.':
    'Die Datei ist leer: Ein Ablauf hat mindestens name, when und then.',
  'Put {1} in quotes: without them YAML reads a map.':
    'Setzen Sie {1} in Anführungszeichen: Ohne sie liest YAML eine Zuordnung.',
  'Put {1} in quotes: other programs read it as a number.':
    'Setzen Sie {1} in Anführungszeichen: Andere Programme lesen es als Zahl.',
  'This holds {1} entries: {2} are the most.': 'Das sind {1} Einträge: Mehr als {2} dürfen es nicht sein.',
  'A key must be plain text.': 'Ein Schlüssel muss einfacher Text sein.',
  'A key is missing here.': 'Hier fehlt ein Schlüssel.',
  'The key {1} must be text: put it in quotes.':
    'Der Schlüssel {1} muss Text sein: Setzen Sie ihn in Anführungszeichen.',
  'Merge keys are not part of workflow files: write the keys out.':
    'Merge-Schlüssel gibt es in diesen Dateien nicht: Schreiben Sie die Schlüssel aus.',
  '{1} cannot be a key: give it another name.':
    '{1} kann kein Schlüssel sein: Geben Sie ihm einen anderen Namen.',
  '{1} is here twice: leave one out.': '{1} steht zweimal hier: Lassen Sie eines weg.',
  '{1} is no number that can be kept: put it in quotes.':
    '{1} ist keine Zahl, die sich speichern lässt: Setzen Sie sie in Anführungszeichen.',
  'This value cannot be read: write text, a number, true or false.':
    'Dieser Wert ist nicht zu lesen: Schreiben Sie Text, eine Zahl, true oder false.',
  'Nothing may be nested deeper than {1} levels.': 'Nichts darf tiefer als {1} Ebenen verschachtelt sein.',
  'Anchors are not part of workflow files: take it out.':
    'Anker gibt es in diesen Dateien nicht: Nehmen Sie ihn heraus.',
  'Tags are not part of workflow files: take it out.':
    'Tags gibt es in diesen Dateien nicht: Nehmen Sie ihn heraus.',
  'Aliases are not part of workflow files: write the value out.':
    'Aliasse gibt es in diesen Dateien nicht: Schreiben Sie den Wert aus.',
  'Directives are not part of workflow files: take the line out.':
    'Direktiven gibt es in diesen Dateien nicht: Nehmen Sie die Zeile heraus.',
  'A workflow file holds one document: put the second into a file of its own.':
    'Eine Datei enthält ein Dokument: Legen Sie das zweite in eine eigene Datei.',
  'A workflow file is a map with name, when and then.':
    'Die Datei eines Ablaufs ist eine Zuordnung mit name, when und then.',
  'Say which format this is: begin with contract: workflow.v1.':
    'Sagen Sie, welches Format das ist: Beginnen Sie mit contract: workflow.v1.',
  'Indent with spaces': 'Mit Leerzeichen einrücken',
  'Put quotes around the text': 'Text in Anführungszeichen setzen',
  'Put quotes around it': 'In Anführungszeichen setzen',
  'Take it out': 'Herausnehmen',
  'Make it a list': 'Eine Liste daraus machen',
  'Write an empty list': 'Eine leere Liste schreiben',
  'Add contract: workflow.v1': 'contract: workflow.v1 hinzufügen',
  'Add {1}: {2}': '{1}: {2} hinzufügen',
  'Change it to {1}': 'In {1} ändern',
  'Write {1}': '{1} schreiben',
  'Ask a person first': 'Vorher jemanden fragen',
  'Make it high': 'Auf high setzen',
}
