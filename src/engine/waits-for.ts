import type { Trigger } from '../contract/index.ts'

/** What starts a workflow, for whoever sent it something else: `a plate.recognized.v1 event of the camera role gate`. */
export function waitsFor({ kind, params }: Trigger): string {
  const { schema, cameras, source, severity } = params
  const what =
    kind === 'event'
      ? `an event ${String(schema)}${params.where ? ' that fits where' : ''}`
      : kind === 'alert'
        ? `an alert${said(' from', source)}${said(' of severity', severity)}`
        : (WORDS[kind] ?? kind)
  return `${what}${said(' of the camera role', cameras)}`
}

const WORDS: Readonly<Record<string, string>> = {
  button: 'a press of its button',
  webhook: 'a call of its webhook',
  schedule: 'its schedule',
  message: 'a message',
  camera_offline: 'a camera that goes offline',
  'detect.person_in_zone': 'somebody in a zone',
}

function said(word: string, value: unknown): string {
  return value === undefined ? '' : `${word} ${Array.isArray(value) ? value.join(' or ') : String(value)}`
}
