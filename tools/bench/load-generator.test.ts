import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import { createCleanups } from './cleanups'
import { startLoadGenerator } from './load-generator'

const cleanups = createCleanups()
afterEach(() => cleanups.run())

it('requests that fail are an error, and others can be sent afterwards', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/broken') request.socket.destroy()
    else response.end('fine')
  }).listen(0, '127.0.0.1')
  cleanups.add(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const load = await startLoadGenerator(cleanups)
  const task = { connections: 1, seconds: 0.1 }
  await expect(load({ ...task, url: `${origin}/broken` })).rejects.toThrow('closed the connection')
  expect((await load({ ...task, url: origin })).statuses).toEqual([200])
})
