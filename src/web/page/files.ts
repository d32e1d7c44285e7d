/** Workflow files, as the page reads, checks, brings and keeps them. */
import type { Problem } from '../../contract/index.ts'
import { ask, Refused, type WorkflowView } from './api.ts'

export interface Template {
  file: string
  name: string
  description: string | null
  yaml: string
}

const yaml = (text: string, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/yaml' },
  body: text,
})

export const getTemplates = async (): Promise<Template[]> =>
  (await ask<{ templates: Template[] }>('/workflows/templates')).templates

/** Everything that is wrong with it at this site. */
export const validate = async (text: string): Promise<Problem[]> =>
  (await ask<{ problems: Problem[] }>('/workflows/validate', yaml(text))).problems

export interface Kept {
  workflow: WorkflowView
  problems: Problem[]
}

/** `over`: the version that it was made from; refused where another one is in force by now. */
export const keepVersion = (id: number, text: string, over: number): Promise<Kept> =>
  ask(`/workflows/${id}?over=${over}`, yaml(text, 'PUT'))

export const getFile = async (id: number, version: number): Promise<string> =>
  (await ask<{ yaml: string }>(`/workflows/${id}/versions/${version}`)).yaml

export const keepNew = (text: string, copy: boolean): Promise<Kept> =>
  ask(`/workflows${copy ? '?copy=1' : ''}`, yaml(text))

/** The problems of a file that the box refused; none where it refused something else. */
export function problemsOf(error: unknown): Problem[] {
  const problems = error instanceof Refused ? error.body.problems : []
  return Array.isArray(problems) ? (problems as Problem[]) : []
}

const name = (key: string) => `gatehouse-draft-${key}`

/** What somebody wrote and has not saved, where the browser keeps it. */
export function draftOf(key: string): string | null {
  try {
    return localStorage.getItem(name(key))
  } catch {
    return null
  }
}

export function keepDraft(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name(key))
    else localStorage.setItem(name(key), text)
  } catch {
    // Then it is lost with the tab.
  }
}
