import { GatehouseError, mintId } from '../../../core/index.ts'
import type { WorkflowView } from '../../../engine/index.ts'
import type { Entity, Room } from '../entity.ts'

/** The button of a workflow that starts by one. Who presses it here is not known: see `moves` of the engine. */
export function workflowButton(workflow: WorkflowView, { engine, setting, now }: Room): Entity[] {
  if (workflow.trigger !== 'button' || !setting.may.has('press')) return []
  const { id, name, label } = workflow
  return [
    {
      key: `workflow_${id}_press`,
      platform: 'button',
      name: label === null ? name : `${name}: ${label}`,
      icon: 'mdi:gesture-tap-button',
      command: async payload => {
        if (payload !== 'PRESS') throw new GatehouseError('bad_request', 'A button takes PRESS.')
        const [admission] = await engine.submit({
          ...{ kind: 'button', id: mintId('evt'), at: now(), workflowId: id, by: null, payload: {} },
          ...{ cameraId: null, schema: null, source: null, severity: null, correlationId: null },
          ...{ chain: [], pictures: [] },
        })
        if (admission?.run == null)
          throw new GatehouseError('not_started', admission?.reason?.message ?? `${name} did not start.`)
        return `${name}: run ${admission.run} began`
      },
    },
  ]
}
