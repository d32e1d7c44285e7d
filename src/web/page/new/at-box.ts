/** What the box says of a sentence, and of a file from elsewhere. */
import type { Problem, Renaming } from '../../../contract/index.ts'
import type { Wanted } from '../../../engine/index.ts'
import { ask, post, Refused } from '../api.ts'
import type { Kept } from '../files.ts'
import type { Outline } from '../outline.ts'

export type { Renaming, Wanted }

export interface Looked {
  outline: Outline | null
  problems: Problem[]
  wanted: Wanted[]
  /** With the names of this site. */
  yaml: string
  /** Why it cannot be stored; empty: it can. */
  refused: string
}

/** What a file would do here; that it does not hold is no reason to reject. */
export async function lookAt(yaml: string, names: Renaming): Promise<Looked> {
  try {
    return {
      ...(await ask<Omit<Looked, 'refused'>>('/workflows/import', post({ yaml, names }))),
      refused: '',
    }
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'bad_workflow') throw error
    const { outline = null, problems = [], wanted = [], yaml: text = yaml } = error.body as Partial<Looked>
    return { outline, problems, wanted, yaml: text, refused: error.message }
  }
}

export const bring = (yaml: string, names: Renaming, copy: boolean): Promise<Kept> =>
  ask(`/workflows/import?save=true${copy ? '&copy=1' : ''}`, post({ yaml, names }))

/** Why nothing is drafted here; null: it is. */
export async function whyNotDrafted(): Promise<string | null> {
  const { offered } = await ask<{ offered?: { suite: string; why: string | null }[] }>('/workflows/registry')
  return (offered ?? []).find(({ suite }) => suite === 'draft')?.why ?? null
}

export const draft = (
  sentence: string,
  signal: AbortSignal,
): Promise<{ yaml: string; problems: Problem[] }> =>
  ask('/workflows/draft', { ...post({ sentence }), signal })
