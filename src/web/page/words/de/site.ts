import type { site as en } from '../en/site.ts'

/** The site's screens, loaded with them. */
export const site: Record<keyof typeof en, string> = {
  sections: 'Bereiche des Standorts',
  barred: 'Das ansehen und ändern darf ein Admin.',
  'section.cameras': 'Kameras',
  'section.privacy': 'Datenschutz',
  'about.cameras': 'Wodurch die Box sieht und was daran nicht stimmt.',
  'about.privacy': 'Was von dem bleibt, was die Kameras gesehen haben.',
  'cameras.none': 'Es gibt keine Kameras, die Sie sehen dürfen.',
  'privacy.kept': 'Durchläufe und ihre Bilder belegen {stored}; {free} sind frei.',
}
