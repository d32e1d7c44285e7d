import { byLabel, metricsText } from '../metrics.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { loose } from '../schemas/index.ts'
import type { StreamHub } from '../stream.ts'

/** What other programs read about the box: its routes as OpenAPI, its counters for Prometheus. */
export function documentRoutes(
  { engine, system }: WebDeps,
  stream: StreamHub,
  shed: () => Record<string, number>,
  all: () => Route[],
): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/openapi.json',
      permission: 'system.view',
      summary: 'This document',
      answer: loose,
      handle: async () => {
        // Loaded for those who read it: no box needs its own description.
        const { openApi } = await import('../openapi.ts')
        return json(openApi(all(), system.version))
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      permission: 'system.view',
      summary: 'Counters and gauges in the text form of Prometheus',
      answer: 'text/plain',
      handle: () => {
        const counts = { ...engine.shed(), ...system.health().shed, ...shed() }
        const left = byLabel('shed_total', 'What was left out, by reason.', 'counter', 'reason', counts)
        const streams = { name: 'streams', help: 'Pages that listen.', type: 'gauge' } as const
        const metrics = [...system.metrics(), left, { ...streams, values: [{ value: stream.size }] }]
        return new Response(metricsText(metrics), {
          headers: {
            'content-type': 'text/plain; version=0.0.4; charset=utf-8',
            'cache-control': 'no-store',
          },
        })
      },
    },
  ]
}
