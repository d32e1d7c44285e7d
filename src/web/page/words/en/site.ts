/** The site's screens, loaded with them. */
export const site = {
  sections: 'Sections of the site',
  barred: 'An admin may look at this and change it.',
  'section.cameras': 'Cameras',
  'section.privacy': 'Privacy',
  'about.cameras': 'What the box looks through, and what is wrong with it.',
  'about.privacy': 'What is kept of what the cameras saw.',
  'cameras.none': 'There are no cameras that you may see.',
  'privacy.kept': 'Runs and their pictures take {stored}; {free} are free.',
}
