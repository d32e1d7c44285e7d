/** What whoever is signed in may do: the rest is not offered, and the page says why. */
import { html } from 'htm/preact'
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { t } from './language.ts'
import { said } from './said.ts'
import type { Session } from './session.ts'

type Act = 'manage' | 'approve' | 'press' | 'message' | 'arm'

export const Who = createContext<Pick<Session, 'name' | 'may' | 'cameras'> & { beyond?: string | null }>({
  name: '',
  may: [],
  cameras: null,
})

/** Why somebody may not; null: they may. `beyond`: the workflow that is shown reaches beyond their cameras. */
export function useWhyNot(act: Act): string | null {
  const { may, beyond = null } = useContext(Who)
  if (!may.includes(`workflows.${act}`)) return t(act === 'arm' ? 'may.no_manage' : `may.no_${act}`)
  return act === 'manage' && beyond !== null ? t('may.beyond', { why: said(beyond) }) : null
}

/** What is inside is about a workflow that perhaps reaches beyond the cameras of whoever looks. */
export function Within({ beyond, children }: { beyond: string | null; children?: ComponentChildren }) {
  const who = useContext(Who)
  return html`<${Who.Provider} value=${{ ...who, beyond }}>${children}</${Who.Provider}>`
}

export function useMay(act: Act): boolean {
  return useWhyNot(act) === null
}

/** Whether every camera is theirs to see: what stops all moves is for them alone. */
export function useSeesAll(): boolean {
  return useContext(Who).cameras === null
}

/** Whether cameras, people and the rest of the site are theirs to set. */
export function useSetsRules(): boolean {
  return useContext(Who).may.includes('site.manage')
}

/** Why something is not offered here; nothing where it is. */
export function Barred({ from }: { from: Exclude<Act, 'arm'> }) {
  const why = useWhyNot(from)
  return why === null ? null : html`<p class="meta barred">${why}</p>`
}
