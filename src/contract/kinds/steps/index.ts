import type { StepDescriptor } from '../../kind.ts'
import type { FlowKind } from '../../types.ts'
import { ai } from './ai.ts'
import { askPerson } from './ask_person.ts'
import { call } from './call.ts'
import { forEach } from './for_each.ts'
import { ifStep } from './if.ts'
import { wait } from './wait.ts'
import { waitFor } from './wait_for.ts'

export const steps: Readonly<Record<FlowKind, StepDescriptor>> = {
  ai,
  if: ifStep,
  for_each: forEach,
  ask_person: askPerson,
  call,
  wait,
  wait_for: waitFor,
}
