import { GatehouseError } from '../../../core/index.ts'
import { BY, type Entity, type Room } from '../entity.ts'

/** The site's mode; a choice where the site file lets it be made here. */
export function siteModeEntity({ siteMode, setting }: Room): Entity {
  const options = [...siteMode.modes]
  const common = { name: 'Site mode', icon: 'mdi:shield-home', state: siteMode.get() }
  if (!setting.may.has('site_mode'))
    return { ...common, key: 'site_mode', platform: 'sensor', config: { device_class: 'enum', options } }
  return {
    ...common,
    key: 'site_mode_choice',
    platform: 'select',
    config: { options },
    command: async payload => {
      if (!siteMode.modes.includes(payload))
        throw new GatehouseError('mode_unknown', `Choose a mode of this site: ${options.join(', ')}.`)
      await siteMode.set(payload, BY.name)
      return `The site is in mode ${payload}`
    },
  }
}
