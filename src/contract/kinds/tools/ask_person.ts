import { tool } from '../../kind.ts'

export const askPerson = tool('ask_person', 'ask_person', 'Asks a person and waits for the answer.')
