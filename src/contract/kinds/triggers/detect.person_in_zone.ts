import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { cameraValues, unclean } from '../given.ts'
import { closed, names, text, texts } from '../params.ts'

export const personInZone = trigger({
  kind: 'detect.person_in_zone',
  description: 'A person, or another thing that the detector knows, has stayed in view of a camera.',
  params: closed({
    cameras: names('Camera roles.'),
    min_seconds: Type.Number({
      minimum: 0,
      maximum: 3600,
      expects: 'a number of seconds from 0 to 3600',
      description: 'How long it must have stayed, in seconds.',
    }),
    zone: Type.Optional(text('A zone of the camera; the whole view where absent.', 100)),
    labels: Type.Optional(texts('What is looked for; person where absent.')),
    stationary: Type.Optional(
      Type.Boolean({
        expects: 'true or false',
        description:
          'Whether what has not moved for long counts too, such as a parked car; not where absent.',
      }),
    ),
  }),
  gives: () => ({
    ...cameraValues(),
    label: unclean('text', 'What was seen.'),
    zone: unclean('text', 'The zone in which it was seen.'),
    seconds: unclean('number', 'How long it has stayed, in seconds.'),
    track: unclean('text', 'The id under which the detector follows it.'),
    score: unclean('number', "The detector's score, 0 to 1."),
  }),
  tainted: () => true,
  authority: () => false,
  needs: it => ({
    cameras: it.cameras,
    skills: ['detect'],
    ...(it.zone !== undefined && { zones: [{ name: it.zone, cameras: it.cameras }] }),
  }),
})
