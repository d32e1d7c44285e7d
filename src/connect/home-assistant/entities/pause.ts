import { GatehouseError } from '../../../core/index.ts'
import { BY, type Entity, type Room } from '../entity.ts'

/** Whether moves are paused. Whoever may only pause holds a brake: letting go is done by a known person. */
export function pause({ engine, setting }: Room): Entity {
  const { paused, by, since, held } = engine.holds.view()
  const state = paused ? 'ON' : 'OFF'
  const attributes = { by, since, held: held.length }
  const common = { name: 'Moves paused', icon: 'mdi:hand-back-right', state, attributes }
  const may = { ON: setting.may.has('pause'), OFF: setting.may.has('unpause') }
  if (!may.ON && !may.OFF) return { ...common, key: 'moves_paused', platform: 'binary_sensor' }
  return {
    ...common,
    key: 'pause_moves',
    platform: 'switch',
    command: async payload => {
      if (payload !== 'ON' && payload !== 'OFF')
        throw new GatehouseError('bad_request', 'The switch takes ON or OFF.')
      if (!may[payload]) {
        const what = payload === 'ON' ? 'paused' : 'let go'
        throw new GatehouseError(
          'not_identified',
          `Moves are ${what} on the page: nobody knows who asks here.`,
        )
      }
      await engine.holds.pause(payload === 'ON', BY)
      return payload === 'ON' ? 'Moves are paused' : 'Moves are made again'
    },
  }
}
