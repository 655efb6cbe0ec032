import { connect, createServer } from 'node:net'

import { listenOnLoopback } from './loopback'

/**
 * A Redis server that says that it is of an older version: a proxy in front of a real one.
 * @param version of at most as many characters as the server's own
 */
export async function openOlderRedis(url: string, version: string) {
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    for (const end of [socket, upstream]) {
      end.on('error', () => undefined)
      end.on('close', () => [socket, upstream].forEach((each) => each.destroy()))
    }
    socket.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1').replace(/(?<=redis_version:)[\d.]+/, (own) => {
        // The answer states its length.
        return version.padEnd(own.length, '0')
      })
      socket.write(text, 'latin1')
    })
  })
  return {
    url: `redis://127.0.0.1:${await listenOnLoopback(server)}`,
    close: () => server.close(),
  }
}
