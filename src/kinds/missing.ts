/**
 * Kinds that files may use and that this version does not carry out yet. A workflow that uses one needs
 * attention and says what is missing; it is never half run.
 */
export const missing = {
  triggers: {
    watch: 'cameras are not asked questions on an interval yet',
  },
  /** Conditions at the head of a file: they are asked before there is a run. */
  guards: {
    text_visible: 'what a camera shows is read in steps only: put it into an if or wait_for step',
  },
  steps: {},
  actions: {
    speak: 'there is no loudspeaker connection yet',
  },
  /** Tools of investigations: a step that has one goes without it. */
  tools: {
    search_footage: 'nothing on this box searches recordings yet',
  },
  /** Modes of an AI step that need what a box may lack. */
  ai: {
    investigate: 'investigating needs a language model: name one under language in the site file',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>
