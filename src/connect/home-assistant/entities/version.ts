import { cut, GatehouseError } from '../../../core/index.ts'
import { BY, type Entity, type Room } from '../entity.ts'

/** Home Assistant shows no more of what is new. */
const MOST_NOTES = 255

/** Which release runs and which one there is; started from there only where the site file lets that be. */
export function versionEntity({ version, updates, setting }: Room): Entity {
  const { available, underway } = updates.view()
  const latest = available?.version ?? version
  return {
    key: 'version',
    platform: 'update',
    name: 'Version',
    category: 'diagnostic',
    config: { title: 'Gatehouse', device_class: 'firmware', payload_install: 'INSTALL' },
    state: JSON.stringify({
      installed_version: version,
      latest_version: latest,
      ...(available?.notes && { release_summary: cut(available.notes, MOST_NOTES) }),
      in_progress: underway !== null,
      update_percentage: underway?.step === 'fetching' ? underway.percent : null,
    }),
    ...(setting.may.has('update') && {
      command: async (payload: string) => {
        if (payload !== 'INSTALL') throw new GatehouseError('bad_request', 'An update takes INSTALL.')
        await updates.ask('install', BY.name)
        return `The update to ${latest} is asked for`
      },
    }),
  }
}
