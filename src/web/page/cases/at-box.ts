/** The cases of a workflow, as the box keeps them. */
import type { CaseTried, CaseView } from '../../../engine/index.ts'
import { ask, follow, post } from '../api.ts'

export type { CaseTried, CaseView }

export const getCases = async (workflow: number): Promise<CaseView[]> =>
  (await ask<{ cases: CaseView[] }>(`/workflows/${workflow}/cases`)).cases

export const makeCase = (run: number, expected: string, note: string): Promise<CaseView> =>
  ask(`/runs/${run}/case`, post({ expected, note: note.trim() || null }))

export const removeCase = (workflow: number, id: number): Promise<unknown> =>
  ask(`/workflows/${workflow}/cases/${id}`, { method: 'DELETE' })

export const pictureOf = (workflow: number, id: number): string =>
  `/api/v1/workflows/${workflow}/cases/${id}/picture`

export const exportOf = (workflow: number): string => `/api/v1/workflows/${workflow}/cases/export`

type Line = { begins?: { of: number }; tried?: CaseTried }

/** Tries all; `signal` ends it. */
export const tryCases = (workflow: number, signal: AbortSignal, hear: (line: Line) => void): Promise<void> =>
  follow<Line>(`/workflows/${workflow}/cases/try`, { method: 'POST', signal }, hear)
