import { html } from 'htm/preact'
import { useContext } from 'preact/hooks'
import { useSeesAll, Who } from '../may.ts'
import { Copies } from './backups.ts'
import { Help } from './help.ts'
import { Log } from './log.ts'
import { Now } from './now.ts'

/** How the box is right now, for whoever sees all of it. */
export function State({ unset }: { unset: boolean }) {
  return useSeesAll() ? html`<${Now} unset=${unset} />` : null
}

/** Backups, the log and the file for whoever helps: for an admin. */
export function Care({ zone }: { zone: string }) {
  const may = [useContext(Who).may.includes('system.manage'), useSeesAll()].every(Boolean)
  return may ? html`<${Copies} zone=${zone} /><${Log} zone=${zone} /><${Help} />` : null
}
