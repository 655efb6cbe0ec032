import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Bench } from './bench'

/** Serves files in turn, because a sync does not publish what is the same; at `url`, the first one always. */
export async function startAlternatingSource(
  { cleanups }: Bench,
  files: readonly (string | Buffer)[],
): Promise<{ url: string; changingUrl: string }> {
  let served = 0
  const server = createServer((request, response) => {
    const isSync = request.url === '/changing'
    response.end(files[isSync ? ++served % files.length : 0])
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  cleanups.add(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${origin}/file`, changingUrl: `${origin}/changing` }
}
