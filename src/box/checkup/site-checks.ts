import type { Secrets } from '../../connect/index.ts'
import { ownAddress, type Site } from '../../site/index.ts'
import { bad, type Check, good, note } from './check.ts'

/** What can be said of a site by its file and its secrets alone, whether the box is up or not. */
export function siteChecks(site: Site, secrets: Secrets): Check[] {
  return [...secretChecks(site, secrets), ...destinationChecks(site), ...peopleChecks(site)]
}

function secretChecks(site: Site, secrets: Secrets): Check[] {
  const named = site.secretNames
  const missing = named.filter(name => !secrets.get(name))
  if (!missing.length) return named.length ? [good('Secrets', null, `All ${named.length} are there.`)] : []
  return missing.map(name =>
    bad(
      'Secret',
      name,
      'It is named in the site file, and is not there or empty.',
      `Write it into the file secrets/${name} of the data folder.`,
    ),
  )
}

function destinationChecks(site: Site): Check[] {
  return [...(site.view().unreachable ?? [])].map(([name, why]) =>
    bad('Destination', name, `Nothing will ever be sent there: ${why}.`, 'Change it in the site file.'),
  )
}

/** Whether those who should hear of things are reached by anything. */
function peopleChecks(site: Site): Check[] {
  const { channels, people, alerts, page } = site.reach
  if (!channels.size)
    return [
      note(
        'People',
        null,
        'Nobody is told anything beside the page: there is no channel.',
        'Name one under channels in the site file.',
      ),
    ]
  const reached = (who: string) =>
    who.startsWith('channel:') || site.peopleBy(who).some(name => people.get(name)?.channels.length)
  const checks: Check[] = []
  if (!reached('role:owner'))
    checks.push(
      note(
        'People',
        'owner',
        'Nobody with the role owner has a channel: what the box says of itself goes to who is told alerts.',
        'Give somebody the role owner, and a channel.',
      ),
    )
  if (!alerts.to.some(reached))
    checks.push(
      bad(
        'People',
        'alerts',
        'Nobody is told alerts of workflows.',
        'Name somebody under alerts in the site file.',
      ),
    )
  for (const [name, { channels: places }] of people)
    if (!places.length) checks.push(note('People', name, 'Has no channel: sees things on the page only.'))
  const used = new Set([...people.values()].flatMap(each => each.channels.map(({ channel }) => channel)))
  for (const [name, channel] of channels)
    if (!used.has(name) && !(alerts.to.includes(`channel:${name}`) && ownAddress(channel) !== undefined))
      checks.push(note('Channel', name, 'Nobody is told by it.', 'Name it at a person, or under alerts.'))
  if (page === null)
    checks.push(
      note(
        'People',
        'link',
        'Messages bear no link to the page.',
        'Say under page_url where people open it.',
      ),
    )
  return checks
}
