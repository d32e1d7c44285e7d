import { GatehouseError } from '../../../core/index.ts'
import type { WorkflowView } from '../../../engine/index.ts'
import { BY, type Entity, type Room } from '../entity.ts'

const STATES = { Off: 'off', Test: 'test', On: 'on' } as const
/** Whoever publishes at the broker is not known, so nobody there is an admin. */
const ANYBODY = { user: null, cameras: null, admin: false }
type Shown = keyof typeof STATES

/** Whether a workflow is Off, in Test or On; a choice where the site lets it be made here. */
export function workflowState(workflow: WorkflowView, { engine, setting }: Room): Entity {
  const { id, name } = workflow
  const shown = (Object.keys(STATES) as Shown[]).find(word => STATES[word] === workflow.state) ?? 'Off'
  const options = Object.keys(STATES)
  const common = {
    name: `${name} state`,
    icon: 'mdi:electric-switch',
    state: shown,
    attributes: { needs_attention: workflow.needs_attention, version: workflow.version },
  }
  if (!setting.may.has('states'))
    return {
      ...common,
      key: `workflow_${id}_state_shown`,
      platform: 'sensor',
      config: { device_class: 'enum', options },
    }
  return {
    ...common,
    key: `workflow_${id}_state`,
    platform: 'select',
    category: 'config',
    config: { options },
    command: async payload => {
      if (!Object.hasOwn(STATES, payload))
        throw new GatehouseError('bad_state', `${name}: choose Off, Test or On.`)
      const state = STATES[payload as Shown]
      await engine.setState(id, state, BY.name, { reach: ANYBODY })
      return `${name} is ${payload}`
    },
  }
}
