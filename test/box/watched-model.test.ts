import { expect, it } from 'vitest'
import { EmbeddedModel, KaicModel } from '../../src/ai/index.ts'
import { WatchedModel } from '../../src/box/watched-model.ts'
import { systemClock } from '../../src/core/index.ts'

it('is asked as the model that it watches', () => {
  const inference = { call: () => Promise.reject(new Error('not asked')) } as never
  const embedded = new EmbeddedModel({
    name: 'tiny',
    inference,
    model: { file: 'x.gguf', contextTokens: 4096 },
  })
  const watched = new WatchedModel(embedded, systemClock)
  expect([watched.contextTokens, watched.onlyPictures]).toEqual([4096, undefined])
  const http = { post: () => Promise.reject(new Error('not asked')) } as never
  const kaic = new KaicModel({ http, clock: systemClock, destination: 'kai', model: 'm', sees: true })
  expect(new WatchedModel(kaic, systemClock)).toMatchObject({ onlyPictures: true, sees: kaic.sees })
})
