import type { Problem } from '../../contract/index.ts'
import type {
  Outline,
  OutlineAct,
  RunSummary,
  TestHistory,
  VersionView,
  Wanted,
  WorkflowRef,
  WorkflowTrust,
  WorkflowView,
} from '../../engine/index.ts'
import {
  list,
  loose,
  number,
  object,
  optional,
  orNull,
  share,
  text,
  time,
  truth,
  under,
  view,
  whole,
  word,
} from './form.ts'

export const STATE = word('off', 'test', 'on')
export const RUN_STATUS = word('running', 'waiting', 'done', 'failed', 'unknown', 'stopped')

export const WORKFLOW_REF = view<WorkflowRef>('WorkflowRef')({ id: whole, slug: text, name: text })

export const RUN_SUMMARY = view<RunSummary>('RunSummary')({
  id: whole,
  workflow: WORKFLOW_REF,
  state: word('test', 'on'),
  status: RUN_STATUS,
  camera: orNull(text),
  decision: orNull(text),
  reason: orNull(text),
  picture: orNull(whole),
  started_at: time,
  ended_at: orNull(time),
})

const counted = {
  path: text,
  marks: whole,
  right: whole,
  share: orNull(share),
  low: orNull(share),
  high: orNull(share),
}
const ACCURACY = view<VersionView['accuracy'][number]>('Accuracy')(counted)
const ofStep = { ...counted, name: orNull(text) }
const STEP_ACCURACY = view<WorkflowView['accuracy'][number]>('StepAccuracy')(ofStep)

export const workflowMembers = {
  id: whole,
  slug: text,
  name: text,
  description: orNull(text),
  state: STATE,
  needs_attention: orNull(text),
  snoozed_until: orNull(time),
  version: whole,
  removed: truth,
  trigger: text,
  label: orNull(text),
  wants_picture: truth,
  hook: orNull(text),
  next_run: orNull(time),
  last_run: orNull(RUN_SUMMARY),
  accuracy: list(STEP_ACCURACY),
}

export const WORKFLOW = view<WorkflowView>('Workflow')(workflowMembers)

const TRUST = view<WorkflowTrust>('Trust')({
  above_medium: text,
  steps: list(
    view<WorkflowTrust['steps'][number]>('StepTrust')({
      ...ofStep,
      alerts: object({ most: word('medium', 'high'), why: orNull(text) }),
      suggested: orNull(
        object({
          sure: share,
          kept: whole,
          of: whole,
          right: whole,
          share,
          low: share,
          high: share,
          enough: truth,
        }),
      ),
    }),
  ),
})

/** A workflow with its file. */
export const WORKFLOW_WITH_FILE = view<
  WorkflowView & { yaml: string | null; trust: WorkflowTrust; beyond: string | null }
>('WorkflowWithFile')({ ...workflowMembers, yaml: orNull(text), trust: TRUST, beyond: orNull(text) })

export const VERSION = view<VersionView>('Version')({
  number: whole,
  at: time,
  by: orNull(text),
  change: orNull(text),
  in_force: truth,
  accuracy: list(ACCURACY),
})

export const FILE_PROBLEM = view<Problem>('FileProblem')({
  severity: word('error', 'warning'),
  file: optional(text),
  line: whole,
  column: whole,
  path: text,
  code: text,
  message: text,
  fix: optional(object({ title: text, edits: list(object({ from: whole, to: whole, insert: text })) })),
})

/** What became of a file that was saved. */
export const SAVED = object({ workflow: WORKFLOW, problems: list(FILE_PROBLEM) })

const ACT = view<OutlineAct>('OutlineAct')({
  path: text,
  effect: word('tell', 'move'),
  guard: orNull(word('reply', 'identity', 'authority')),
  action: text,
  target: text,
  detail: orNull(text),
})

const outlined = {
  name: text,
  description: orNull(text),
  trigger: text,
  acts: list(ACT),
  asks: list(object({ path: text, kind: word('ask_person', 'call'), who: list(text), message: text })),
  reads: list(word('plates', 'faces')),
  needs: loose,
  cameras: under(list(text)),
  judges: whole,
  needs_admin: orNull(text),
}

export const OUTLINE = view<Outline>('Outline')(outlined)

export const OUTLINE_WITH_TEST = view<Outline & { test: TestHistory }>('OutlineWithTest')({
  ...outlined,
  test: view<TestHistory>('TestHistory')({ runs: whole, done: whole, failed: whole, stopped: whole }),
})

export const WANTED = view<Wanted>('Wanted')({
  what: word('cameras', 'lists', 'roles', 'destinations'),
  name: text,
  here: truth,
  choices: list(object({ name: text, says: orNull(text) })),
})

export const TEMPLATE = object({ file: text, name: text, description: orNull(text), yaml: text })

const entry = { kind: text, description: text, params: loose }

const GATE = object({ suite: word('investigate', 'draft'), passed: truth, why: orNull(text) })
const APP_ACTION = object({
  name: text,
  label: text,
  effect: word('tell', 'move'),
  params: orNull(list(loose)),
})
const APP = object({ id: text, name: text, raises_alerts: orNull(truth), actions: list(APP_ACTION) })

/** Every kind that a file may hold, what the model has passed, and the apps that the site knows. */
export const REGISTRY = object({
  triggers: list(object(entry)),
  conditions: list(object(entry)),
  steps: list(object({ ...entry, ai: truth })),
  actions: list(object({ ...entry, effect: word('read', 'tell', 'move', 'by_use') })),
  tools: list(object({ ...entry, not_for: text, effect: word('read', 'ask_person') })),
  offered: list(GATE),
  apps: list(APP),
})

/** What a file may name. */
export const NAMES = object({
  ...{ cameras: list(text), zones: list(text), lists: list(text), roles: list(text), people: list(text) },
  ...{
    modes: list(text),
    destinations: list(text),
    topics: list(text),
    tools: list(text),
    schemas: list(text),
  },
  apps: under(list(text)),
})

export const DRAFT = object({ yaml: text, problems: list(FILE_PROBLEM), rounds: number, model: text })
