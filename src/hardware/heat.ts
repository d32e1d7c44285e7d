import { Root } from './read.ts'

/** Where a zone does not say when it gets critical: chips slow down from about here. */
const HOT = 85
/** So far below critical it is said. */
const BEFORE = 10
/** What says more, or less, is a sensor that lies. */
const [COLDEST, HOTTEST] = [-40, 150]

/** The part of the box that is nearest to being too hot, in °C; null where it has no sensor. */
export interface Heat {
  zone: string
  celsius: number
  /** From here on it is too hot. */
  limit: number
}

/** Reads what the kernel says in `thermal_zone*`. `path`: `/`, or the root that a test made. */
export function readHeat(path = '/'): Heat | null {
  const root = new Root(path)
  const zones = root
    .list('sys/class/thermal')
    .filter(name => /^thermal_zone\d+$/.test(name))
    .flatMap(name => zoneOf(root, `sys/class/thermal/${name}`) ?? [])
  return zones.sort((a, b) => b.celsius - b.limit - (a.celsius - a.limit))[0] ?? null
}

function zoneOf(root: Root, folder: string): Heat | null {
  const celsius = degrees(root.text(`${folder}/temp`))
  if (celsius === null) return null
  const trips = root.list(folder).filter(name => /^trip_point_\d+_type$/.test(name))
  const critical = trips
    .filter(name => root.text(`${folder}/${name}`) === 'critical')
    .flatMap(name => degrees(root.text(`${folder}/${name.replace('_type', '_temp')}`)) ?? [])
  const limit = critical.length ? Math.min(...critical) - BEFORE : HOT
  return { zone: root.text(`${folder}/type`) ?? 'unknown', celsius, limit: Math.min(limit, HOT + BEFORE) }
}

function degrees(text: string | null): number | null {
  const celsius = text === null || !/^-?\d+$/.test(text) ? Number.NaN : Number(text) / 1000
  return celsius > COLDEST && celsius < HOTTEST ? Math.round(celsius) : null
}
