import { createServer, type AddressInfo } from 'node:net'

import Fastify from 'fastify'
import { expect, it } from 'vitest'

import { ConfigError } from '../config'
import { listen } from './listen'

const VARIABLES = { hostVariable: 'HOST', portVariable: 'WORKER_PORT' } as const

it('names the variable to change when the port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const listening = listen(Fastify(), { host: '127.0.0.1', port, ...VARIABLES })
  await expect(listening).rejects.toThrow(
    new ConfigError(
      `Port ${port} is in use. Stop what runs there, or set WORKER_PORT to another one.`,
    ),
  )
  await new Promise((resolve) => other.close(resolve))
})

it('names HOST when this machine has no such address', async () => {
  const listening = listen(Fastify(), { host: '192.0.2.1', port: 0, ...VARIABLES })
  await expect(listening).rejects.toThrow(/^HOST: .*192\.0\.2\.1/)
})

it.each([
  ['127.0.0.1', '127.0.0.1', ['127.0.0.1']],
  ['0.0.0.0', '127.0.0.1', ['127.0.0.1']],
  ['::1', '[::1]', ['[::1]']],
  ['::', 'localhost', ['127.0.0.1', '[::1]', 'localhost']],
])('on HOST=%s tells a URL at %s that can be opened', async (host, shown, reachable) => {
  const app = Fastify()
  app.get('/', async () => 'here')
  const url = new URL(await listen(app, { host, port: 0, ...VARIABLES }))
  expect(url.hostname).toBe(shown)
  for (const name of [shown, ...reachable]) {
    expect(await (await fetch(`http://${name}:${url.port}/`)).text()).toBe('here')
  }
  await app.close()
})
