/** What comes with the program says about itself: templates, models, and what a site lacks for them. */
export const shipped = {
  'The barrier reports a fault. Looks whether anybody waits there, tells maintenance how urgent that is, and writes a ticket whatever was seen.':
    'Die Schranke meldet eine Störung. Sieht nach, ob dort jemand wartet, sagt der Instandhaltung, wie dringend es ist, und schreibt in jedem Fall ein Ticket.',
  'Finds out why a camera gives no picture before a ticket is written. Is quiet about one that is back or was switched off by the schedule, and writes the ticket all the same where it cannot tell.':
    'Findet heraus, warum eine Kamera kein Bild liefert, bevor ein Ticket geschrieben wird. Bleibt still, wenn sie wieder da ist oder nach Plan aus war; wo es unklar bleibt, schreibt er das Ticket trotzdem.',
  'Looks at vehicles with a plate that we do not know. Asks the guard whether to let a delivery in, and tells them about everybody else.':
    'Sieht Fahrzeuge mit unbekanntem Kennzeichen an. Fragt den Wachdienst, ob eine Lieferung hereindarf, und sagt ihm bei allen anderen Bescheid.',
  'Answers what somebody asks about the site. A second look holds what was found against what the tools really answered before the answer goes out, and the answer says how far it holds.':
    'Beantwortet, was jemand über den Standort fragt. Bevor die Antwort hinausgeht, vergleicht ein zweiter Blick das Gefundene mit dem, was die Werkzeuge wirklich sagten; die Antwort sagt, wie weit sie gilt.',
  'Looks at each camera in the morning and sends one report of what stands where and what somebody should look at.':
    'Sieht morgens jede Kamera an und schickt einen Bericht: was wo steht und was sich jemand ansehen sollte.',
  'Investigates who stays in the yard by night before anybody is woken. Asks the guard about strangers, keeps quiet about cats, and says so where it cannot tell.':
    'Geht nachts nach, wer sich im Hof aufhält, bevor jemand geweckt wird. Fragt den Wachdienst bei Fremden, schweigt bei Katzen und sagt es, wenn es unklar bleibt.',
  'Looks at three frames when somebody comes to the workshop, and reminds them where helmet or vest is missing. Needs a language model that sees.':
    'Sieht drei Bilder an, wenn jemand in die Werkstatt kommt, und erinnert, wo Helm oder Weste fehlt. Braucht ein Sprachmodell, das sieht.',
  'Looks at each new picture of the yard and tells the guard about people and vehicles. An empty yard stays quiet.':
    'Sieht jedes neue Bild des Hofs an und sagt dem Wachdienst bei Menschen und Fahrzeugen Bescheid. Ein leerer Hof bleibt still.',
  '{1?} needs a language model: name one under language in the site file':
    '{1} braucht ein Sprachmodell: Nennen Sie eins unter language in der Standortdatei',
  '{1?} needs a model that is known by its hash: run "gatehouse models add" with its file':
    '{1} braucht ein Modell, das an seiner Prüfsumme bekannt ist: Führen Sie "gatehouse models add" mit seiner Datei aus',
  'what moves something must not be on this box itself: give what moves an address of its own':
    'was etwas bewegt, darf nicht auf dieser Box selbst sein: Geben Sie ihm eine eigene Adresse',
  '{1} is a name, and names must not lead to this box: write 127.0.0.1':
    '{1} ist ein Name, und Namen dürfen nicht zu dieser Box führen: Schreiben Sie 127.0.0.1',
  'NanoDet, 80 COCO labels, 416 x 416 pixels; finds people, vehicles and animals.':
    'NanoDet, 80 COCO-Klassen, 416 x 416 Pixel; findet Menschen, Fahrzeuge und Tiere.',
  'PaddleOCR v4 mobile, finds and reads printed text (Latin letters, digits, Chinese).':
    'PaddleOCR v4 mobile, findet und liest gedruckten Text (lateinische Buchstaben, Ziffern, Chinesisch).',
  'Qwen3 1.7B at 4 bits; the smallest that follows instructions of a few lines.':
    'Qwen3 1.7B mit 4 Bit; das kleinste, das Anweisungen von einigen Zeilen folgt.',
  'Llama 3.2 3B Instruct at 4 bits.': 'Llama 3.2 3B Instruct mit 4 Bit.',
  'Qwen3 4B at 4 bits; the first choice for a box with 8 GB.':
    'Qwen3 4B mit 4 Bit; die erste Wahl für eine Box mit 8 GB.',
  'Qwen3 8B at 4 bits; for a graphics card, or patience.':
    'Qwen3 8B mit 4 Bit; für eine Grafikkarte, oder mit Geduld.',
  'SmolVLM2 2.2B at 4 bits with its projector, for llama-server beside Gatehouse.':
    'SmolVLM2 2.2B mit 4 Bit samt Projektor, für llama-server neben Gatehouse.',
  'Qwen2.5-VL 3B at 4 bits with its projector, for llama-server beside Gatehouse.':
    'Qwen2.5-VL 3B mit 4 Bit samt Projektor, für llama-server neben Gatehouse.',
}
