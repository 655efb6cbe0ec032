import Fastify from 'fastify'
import { expect, it } from 'vitest'

import { readConfig } from '../config'
import { toHealthUrl } from './health-url'
import { listen } from './listen'

it.each([
  [{}, 'http://127.0.0.1:3000/healthz', 'http://127.0.0.1:3001/readyz'],
  [{ PORT: '', WORKER_PORT: '' }, 'http://127.0.0.1:3000/healthz', 'http://127.0.0.1:3001/readyz'],
  [
    { HOST: '10.0.0.7', PORT: '8080', METRICS_HOST: '[fd00::7]', WORKER_PORT: '8081' },
    'http://10.0.0.7:8080/healthz',
    'http://[fd00::7]:8081/readyz',
  ],
])('with the settings %j the web process is asked at %s and a worker at %s', (env, web, worker) => {
  const config = readConfig(env)
  expect(toHealthUrl(config, 'main')).toBe(web)
  expect(toHealthUrl(config, 'worker')).toBe(worker)
})

it.each(['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'])(
  'a process on %s is found',
  async (host) => {
    const app = Fastify()
    app.get('/healthz', async () => 'well')
    const at = { host, port: 0, hostVariable: 'HOST', portVariable: 'PORT' } as const
    const { port: PORT } = new URL(await listen(app, at))
    const response = await fetch(toHealthUrl(readConfig({ HOST: host, PORT }), 'main'))
    expect(await response.text()).toBe('well')
    await app.close()
  },
)
