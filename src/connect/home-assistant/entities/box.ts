import { type Entity, MOST_STATE, type Room } from '../entity.ts'
import { versionEntity } from './version.ts'

/** The box itself: whether it is there, what judges for it, its version, and what came of the last command. */
export function boxEntities(
  room: Room,
  { status, said }: { status: string; said: { text: string; at: string } | null },
): Entity[] {
  const { eyes, language } = room.models()
  return [
    {
      key: 'connected',
      platform: 'binary_sensor',
      name: 'Connected',
      category: 'diagnostic',
      // It stays available, to say that the box is not.
      config: {
        ...{ device_class: 'connectivity', state_topic: status, availability: [] },
        ...{ payload_on: 'online', payload_off: 'offline' },
      },
    },
    {
      key: 'model',
      platform: 'sensor',
      name: 'Model',
      icon: 'mdi:brain',
      category: 'diagnostic',
      state: language ?? eyes,
      attributes: { looks_at_pictures: eyes, language_model: language },
    },
    versionEntity(room),
    {
      key: 'last_command',
      platform: 'sensor',
      name: 'Last command',
      icon: 'mdi:message-reply-text',
      category: 'diagnostic',
      state: said === null ? null : said.text.slice(0, MOST_STATE).toWellFormed(),
      attributes: { at: said?.at ?? null },
    },
  ]
}
