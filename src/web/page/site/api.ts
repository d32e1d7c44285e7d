/** The site's rules, as the page asks for them and sets them. */
import type {
  ListEntry,
  ListOutcome,
  RulePart,
  RulesVersion,
  RulesVersionView,
  RulesView,
} from '../../../site/index.ts'
import { ask, post } from '../api.ts'

export type { RuleChange } from '../../../site/index.ts'
export type { ListEntry, ListOutcome, RulesVersion, RulesVersionView, RulesView }

export type InForce = RulesView['in_force']

/** Without the entries of lists: those are asked for when a list is opened. */
export const getRules = (): Promise<RulesView> => ask('/site-rules?without=lists')

/** `value` null: as the site file says. */
export const setPart = (part: RulePart, value: unknown, version: number): Promise<RulesView> =>
  ask(`/site-rules/parts/${part}`, post({ value, version }, 'PUT'))

export const getEntries = (list: string): Promise<{ version: number; entries: ListEntry[] }> =>
  ask(`/site-rules/entries/${list}`)

export const setEntries = (
  list: string,
  entries: readonly ListEntry[],
  version: number,
): Promise<ListOutcome> => ask(`/site-rules/entries/${list}`, post({ entries, version }, 'PUT'))

const csv = (text: string): RequestInit => ({
  method: 'PUT',
  headers: { 'content-type': 'text/csv' },
  body: text,
})

export const csvAddress = (list: string): string => `/api/v1/site-rules/lists/${list}.csv`

export const lookAtCsv = (list: string, text: string): Promise<ListOutcome> =>
  ask(`/site-rules/lists/${list}.csv?preview=true`, csv(text))

export const setCsv = (list: string, text: string, version: number): Promise<ListOutcome> =>
  ask(`/site-rules/lists/${list}.csv?version=${version}`, csv(text))

export const giveBack = (list: string, version: number): Promise<{ version: number }> =>
  ask(`/site-rules/lists/${list}.csv?version=${version}`, { method: 'DELETE' })

export const getRuleVersions = async (): Promise<RulesVersion[]> =>
  (await ask<{ versions: RulesVersion[] }>('/site-rules/versions')).versions

export const getRuleVersion = (version: number): Promise<RulesVersionView> =>
  ask(`/site-rules/versions/${version}`)

export const takeBack = (to: number, version: number): Promise<RulesView> =>
  ask('/site-rules/rollback', post({ to, version }))

export interface Mode {
  mode: string
  modes: string[]
  kept_by: 'box' | 'nvr'
}

export const getMode = (): Promise<Mode> => ask('/system/mode')

export const setMode = (mode: string): Promise<Mode> => ask('/system/mode', post({ mode }, 'PUT'))

export interface Tested {
  outcome: 'works' | 'failed' | 'left'
  message: string
}

export const tryOut = (folder: 'channels' | 'destinations', name: string): Promise<Tested> =>
  ask(`/site/${folder}/${name}/test`, post({}))
