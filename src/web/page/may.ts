/** What whoever is signed in may do: the rest is not offered, and the page says why. */
import { html } from 'htm/preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { t } from './language.ts'
import type { Session } from './session.ts'

type Act = 'manage' | 'approve' | 'press' | 'message' | 'arm'

export const Who = createContext<Pick<Session, 'may' | 'cameras'>>({ may: [], cameras: null })

export function useMay(act: Act): boolean {
  return useContext(Who).may.includes(`workflows.${act}`)
}

/** Whether every camera is theirs to see: what stops all moves is for them alone. */
export function useSeesAll(): boolean {
  return useContext(Who).cameras === null
}

/** Why something is not offered here; nothing where it is. */
export function Barred({ from }: { from: Exclude<Act, 'arm'> }) {
  return useMay(from) ? null : html`<p class="meta barred">${t(`may.no_${from}`)}</p>`
}
