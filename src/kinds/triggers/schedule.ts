import { localTime } from '../local-time.ts'
import type { TriggerFunction } from '../types.ts'

/** The time of a workflow's schedule has come. `scheduled_for` is the planned time on the site's clock. */
export const schedule: TriggerFunction = {
  matches(_params, event, site) {
    // Only the box itself says that the time has come, to one workflow.
    if (event.kind !== 'schedule' || event.workflowId === null) return null
    const planned = localTime(event.at, site.timeZone).toString({
      timeZoneName: 'never',
      smallestUnit: 'second',
    })
    return Object.assign(Object.create(null), { scheduled_for: planned })
  },
}
