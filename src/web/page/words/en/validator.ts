/** The validator: a page of its own, for whoever has a file and no box. */
export const validator = {
  title: 'Workflow validator',
  about:
    'Checks a workflow.v1 file in this browser. Nothing is sent anywhere: the page works without a network and without a box.',
  file: 'The file',
  paste: 'Paste a file below, drop one anywhere on this page, or choose one:',
  choose: 'Choose a file',
  example: 'Show an example',
  copy: 'Copy the file',
  copied: 'Copied.',
  not_copied: 'The browser would not: choose the text and copy it by hand.',
  large: 'That is larger than {kb} kB: no box takes such a file.',
  not_text: 'That is no text in UTF-8.',
  took: '{name} was taken.',
  holds: 'It holds.',
  holds_but: 'It holds; look at the warnings.',
  errors_one: 'It does not hold: one error.',
  errors_many: 'It does not hold: {n} errors.',
  does: 'What it would do',
  does_why: 'A box says it again for its own site, where classes of destinations and apps are known.',
  flow: 'How it runs',
  broken: 'Once its errors are mended, the file is drawn here.',
}
