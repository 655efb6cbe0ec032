import { expect, it } from 'vitest'

import type { Deps } from '../domain/deps'
import { checkMetrics } from './check-metrics'

const PRIVATE = ['127.0.0.1', '::1', '10.1.2.3', 'fe80::1']

const find = (host: string, metricsHost: string, addresses = PRIVATE) =>
  checkMetrics(
    { config: { host, metricsHost, metricsPort: 3002, hasInlineWorker: true } } as Deps,
    addresses,
  )

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '::1'],
  ['127.0.0.1', '10.1.2.3'],
  ['0.0.0.0', '0.0.0.0'],
  ['::', '::'],
  ['0.0.0.0', 'metrics.internal'],
])('the doctor is content with the product on %s and metrics on %s', async (host, metricsHost) => {
  const addresses = metricsHost === '::1' ? [...PRIVATE, '203.0.113.9'] : PRIVATE
  expect(await find(host, metricsHost, addresses)).toMatchObject([{ state: 'ok' }])
})

it.each([
  ['127.0.0.1', '0', 'while the product itself is on 127.0.0.1'],
  ['127.0.0.1', '::0', 'while the product itself is on 127.0.0.1'],
  ['127.0.0.1', '0.0.0.0', 'while the product itself is on 127.0.0.1'],
  ['localhost', '::', 'while the product itself is on localhost'],
  ['0.0.0.0', '0.0.0.0', 'of which 8.8.4.4 is public', [...PRIVATE, '8.8.4.4']],
  ['0.0.0.0', '::', 'of which 2600:1f18::7 is public', [...PRIVATE, '2600:1f18::7']],
  ['0.0.0.0', '8.8.4.4', ': 8.8.4.4 is public'],
])(
  'the doctor warns with the product on %s and metrics on %s',
  async (host, metrics, text, at?) => {
    expect(await find(host, metrics, at as string[] | undefined)).toMatchObject([
      { state: 'warning', text: expect.stringContaining(text), advice: expect.any(String) },
    ])
  },
)

it('the doctor says that metrics are not served', async () => {
  const config = { host: '127.0.0.1', metricsHost: '0.0.0.0', hasInlineWorker: true }
  expect(await checkMetrics({ config } as Deps, PRIVATE)).toEqual([
    { part: 'metrics', state: 'ok', text: 'metrics are not served (METRICS_PORT)' },
  ])
})
