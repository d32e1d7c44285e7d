import { type Entity, MOST_STATE, type Room } from '../entity.ts'

/** The box itself: whether it is there, what judges for it, its version, and what came of the last command. */
export function boxEntities(
  { models, version }: Room,
  { status, said }: { status: string; said: { text: string; at: string } | null },
): Entity[] {
  const { eyes, language } = models()
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
    {
      key: 'version',
      platform: 'update',
      name: 'Version',
      category: 'diagnostic',
      config: { title: 'Gatehouse', device_class: 'firmware' },
      // Until a newer one is brought to the box, the latest that it knows of is its own.
      state: JSON.stringify({ installed_version: version, latest_version: version, in_progress: false }),
    },
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
