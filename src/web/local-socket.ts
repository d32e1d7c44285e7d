/** The way in for commands on the box: a socket in the data folder that only its owner may open. */
import { rmSync } from 'node:fs'

/** Its name in the data folder. */
export const SOCKET = 'gatehouse.sock'

/**
 * Listens at `path`; whoever holds the data folder calls it, so that a socket which is there already was left by a
 * process that is gone. The returned function ends it. Throws what the system says.
 */
export function listenLocally(
  path: string,
  handle: (request: Request) => Response | Promise<Response>,
): () => Promise<void> {
  rmSync(path, { force: true })
  // The socket is made for its owner only; a change afterwards would leave a moment for others.
  const mask = process.umask(0o177)
  try {
    const server = Bun.serve({
      unix: path,
      development: false,
      fetch(request, server) {
        // Some commands take minutes; nobody else holds a connection here.
        server.timeout(request, 0)
        return handle(request)
      },
    })
    return async () => {
      await server.stop(true)
      rmSync(path, { force: true })
    }
  } finally {
    process.umask(mask)
  }
}
