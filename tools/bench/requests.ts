import { join } from 'node:path'

import type { Bench } from './bench'
import { atLeast, atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import { startProgram } from './program'
import { compareRequests, repeatRequest, toMilliseconds, toRate, type Request } from './rates'
import type { Row } from './row'
import { median } from './statistics'

const BATCH = 5

export const requestRows: readonly Row[] = [
  {
    number: 11,
    name: 'rest-read',
    parts: [
      { what: 'GET /api/user, 16 connections: the query on bare Fastify', goal: atLeast(0.4) },
      { what: 'its p99', goal: atMost(10, 'ms') },
    ],
    async measure(bench) {
      const { own, peer } = await openUser(bench)
      const request = own('/api/user')
      const rate = await compareRequests(bench, request, peer)
      const send = await repeatRequest(bench, request)
      const [times = []] = await interleave(bench.runs, [async () => (await send()).p99])
      return [toRate(rate), toMilliseconds(median(times))]
    },
  },
  {
    number: 12,
    name: 'trpc-query',
    parts: [
      { what: 'tRPC query, 16 connections: the query on bare Fastify', goal: atLeast(0.1) },
      { what: `time of a batch of ${BATCH}: of a batch of 1`, goal: atMost(2) },
    ],
    async measure(bench) {
      const { own, peer } = await openUser(bench)
      const sendBatch = await repeatRequest(bench, own(toBatch(BATCH)))
      const sendOne = await repeatRequest(bench, own(toBatch(1)))
      const rate = await compareRequests(bench, own(toBatch(1)), peer)
      const times = await interleave(
        bench.runs,
        [sendBatch, sendOne].map((send) => async () => 1_000 / (await send()).perSecond),
      )
      const [batch = NaN, one = NaN] = times.map(median)
      const measured = {
        value: batch / one,
        ours: `${formatNumber(batch)} ms`,
        peer: `${formatNumber(one)} ms`,
      }
      return [toRate(rate), measured]
    },
  },
  {
    number: 29,
    name: 'key-read',
    parts: [
      { what: 'GET /api/user by an API key, 16 connections: in a session', goal: atLeast(1) },
    ],
    async measure(bench) {
      const { product, admin } = await bench.stage()
      const url = `${product.url}/api/user`
      const input = { name: 'Bench', scopes: ['read'] }
      const { body } = await admin.send('POST', '/trpc/apiKeys.create', input)
      const { token } = (body as { result: { data: { token: string } } }).result.data
      const byKey = { url, headers: { authorization: `Bearer ${token}` } }
      const inSession = { url, headers: { cookie: admin.cookie() } }
      return [toRate(await compareRequests(bench, byKey, inSession))]
    },
  },
]

/** The path of a batch of the query that all pages begin with. */
function toBatch(size: number): string {
  return `/trpc/${Array(size).fill('session.current').join(',')}?batch=1&input=%7B%7D`
}

/** A signed-in user's calls, and a bare server that reads the same user. */
async function openUser(bench: Bench) {
  const { product, admin, dataDir } = await bench.stage()
  const { body } = await admin.send('GET', '/api/user')
  const args = [join(dataDir, 'app.db'), String((body as { id: number }).id)]
  const bare = await startProgram('bare-fastify', args, bench.cleanups)
  const headers = { cookie: admin.cookie() }
  return {
    own: (path: string): Request => ({ url: product.url + path, headers }),
    peer: { url: `http://127.0.0.1:${bare.port}/user` },
  }
}
