/** Two drafts that a model is shown: sentence, and what is answered. */
export const EXAMPLES = [
  {
    sentence:
      'When a car that is not on the residents list comes to the gate at night, ask the guard whether to let it in.',
    draft: {
      name: 'Strangers at the gate',
      description: 'Asks the guard about vehicles by night that are not on the list of residents.',
      when: { event: { schema: 'plate.recognized.v1', cameras: ['gate'] } },
      if: [
        { not: { in_list: { list: 'residents', value: '{plate}' } } },
        { time: { from: '22:00', to: '06:00' } },
      ],
      then: [
        {
          ask_person: {
            who: 'role:guard',
            message: '{plate} is at the {camera}. Let it in?',
            timeout: '60s',
            default: 'Refuse',
          },
          replies: [
            { is: 'Let in', then: [{ webhook: { to: 'gate-opener' } }] },
            { is: 'Refuse', then: [{ log: 'refused' }] },
          ],
        },
      ],
    },
  },
  {
    sentence: 'Tell the guard when somebody is in the yard.',
    draft: {
      name: 'Somebody in the yard',
      description: 'Looks at each new picture of the yard and tells the guard about people.',
      when: { event: { schema: 'picture.arrived.v1', cameras: ['yard'] } },
      then: [
        {
          ai: {
            mode: 'look',
            prompt: 'Is there a person in the yard?',
            input: 'picture',
            fields: { persons: { measure: 'count', of: 'person' } },
            decision: [
              {
                is: 'somebody',
                then: [{ notify: { who: 'role:guard', message: 'Somebody in the {camera}: {reason}' } }],
              },
              { is: 'nobody', then: [] },
            ],
            rules: [{ when: { persons: { at_least: 1 } }, then: 'somebody' }, { then: 'nobody' }],
            unsure: [{ notify: { who: 'role:guard', message: 'Please look at the {camera}: {reason}' } }],
          },
        },
      ],
    },
  },
] as const

export function examples(): string {
  return EXAMPLES.map(
    ({ sentence, draft }) =>
      `Example. Sentence: ${JSON.stringify(sentence)}\nAnswer: ${JSON.stringify(draft)}`,
  ).join('\n\n')
}
