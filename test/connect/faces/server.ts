/** A face server on loopback that speaks CompreFace's recognition and refuses what that refuses. */
import { onTestFinished } from 'vitest'

export const KEY = 'a-key-of-a-service'

export const face = (...subjects: [subject: unknown, similarity: unknown][]) => ({
  box: { probability: 0.99, x_min: 1, y_min: 1, x_max: 9, y_max: 9 },
  subjects: subjects.map(([subject, similarity]) => ({ subject, similarity })),
})

export function faceServer(answer: unknown): { port: number; pictures: Buffer[]; urls: string[] } {
  const pictures: Buffer[] = []
  const urls: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      urls.push(pathname + search)
      if (answer instanceof Response) return answer.clone() as Response
      if (request.headers.get('x-api-key') !== KEY)
        return Response.json({ message: 'Model with such api key is not found', code: 1 }, { status: 401 })
      if (request.method !== 'POST' || pathname !== '/api/v1/recognition/recognize')
        return Response.json({ message: 'no' }, { status: 404 })
      const { file } = (await request.json()) as { file?: unknown }
      if (typeof file !== 'string') return Response.json({ message: 'no file', code: 21 }, { status: 400 })
      pictures.push(Buffer.from(file, 'base64'))
      if (Array.isArray(answer) && !answer.length)
        return Response.json({ message: 'No face is found in the given image', code: 28 }, { status: 400 })
      return Response.json({ result: answer })
    },
  })
  onTestFinished(() => server.stop(true))
  return { port: server.port ?? 0, pictures, urls }
}
