/** Kinds in the order in which people look for them. */
export interface Section {
  /** Its words: `group.<name>`. */
  name: string
  kinds: readonly string[]
}

export const STEPS: readonly Section[] = [
  { name: 'looks', kinds: ['ai', 'investigate'] },
  { name: 'people', kinds: ['notify', 'ask_person', 'alert', 'call', 'speak', 'reply'] },
  { name: 'ways', kinds: ['if', 'for_each', 'wait', 'wait_for'] },
  { name: 'keeps', kinds: ['save_picture', 'save_clip', 'log'] },
  { name: 'acts', kinds: ['webhook', 'mqtt', 'home_assistant', 'ptz_preset', 'site_mode', 'app'] },
]

export const TRIGGERS: readonly Section[] = [
  { name: 'cameras', kinds: ['detect.person_in_zone', 'watch', 'event', 'alert', 'camera_offline'] },
  { name: 'hands', kinds: ['button', 'message'] },
  { name: 'others', kinds: ['schedule', 'webhook'] },
]

/** Of a whole run, and within steps. What must not hold is turned round where it stands. */
export const GUARDS: readonly Section[] = [
  { name: 'when', kinds: ['time', 'site_mode'] },
  { name: 'what', kinds: ['value', 'in_list', 'camera', 'text_visible'] },
  { name: 'several', kinds: ['any', 'all'] },
]

export const CONDITIONS: readonly Section[] = [
  ...GUARDS,
  { name: 'run', kinds: ['step_succeeded', 'elapsed'] },
]
