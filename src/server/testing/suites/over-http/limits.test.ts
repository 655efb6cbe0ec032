import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { apiRoutes } from '../../../api/api-routes'
import { defaultLimits } from '../../../domain/limits'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { limitedCalls, type Call, type LimitedCall } from '../../stages/limited-calls'
import { openWorld, type World } from '../../stages/world'

/** The route of a procedure, and the status of its success; undefined for a call without a route. */
const findRoute = ({ procedure }: LimitedCall) =>
  Object.entries<{ summary: string; procedure?: string; status?: number }>(apiRoutes).find(
    ([, route]) => route.procedure === procedure,
  )

const transports = {
  async REST(call: LimitedCall, { client, body = {}, params = {} }: Call) {
    const [method = '', path = ''] = findRoute(call)?.[0].split(' ') ?? []
    const url = path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
    const response = await client.request(method, url, body)
    return { ...response, error: response.body }
  },
  async tRPC({ procedure }: LimitedCall, { client, body, params }: Call) {
    const response = await client.call('mutation', procedure, { ...params, ...body })
    const { error } = response.body as { error?: { message: string } }
    return { ...response, error: error && { message: error.message } }
  },
}

const everyTransport = Object.keys(transports) as (keyof typeof transports)[]
let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())
beforeEach(async () => {
  world = await openWorld(sourceServer)
})
afterEach(() => world.testApp.close())

it('tests every limit', () => {
  const elsewhere = ['googleSignIn', 'callsByUser', 'callsFromAddress', 'readsOfFeed']
  // They have no procedure: unsubscribing.test.ts, uploads.test.ts, receive-file.test.ts, own-data.test.ts.
  elsewhere.push('unsubscribe', 'uploadByLink', 'uploadFromClient', 'receiveFile', 'downloadData')
  // They refuse no call: failed-sign-ins.test.ts.
  elsewhere.push('recordedFailuresToAccount', 'recordedFailuresAtAddress', 'recordedFailures')
  // They refuse no call: notices.test.ts.
  elsewhere.push('accountNotice', 'accountNoticeMail')
  // Right links work however many wrong ones there were: acceptance.test.ts.
  elsewhere.push('openLinks')
  // The right token works however many wrong ones there were: set-up.test.ts.
  elsewhere.push('setUpFromAddress', 'setUp')
  // They need a right password: over-http/second-factor.test.ts.
  elsewhere.push('codeFromAddress', 'codeToAccount', 'codeAtAddress', 'codes')
  // Right keys work however many wrong ones there were: api-keys.test.ts.
  elsewhere.push('wrongKeysFromAddress', 'wrongKeys')
  // Right passwords work however many wrong ones there were: protected-feeds.test.ts.
  elsewhere.push('wrongPasswordsOfFeed', 'wrongFeedPasswordsFromAddress', 'wrongFeedPasswords')
  // They have no procedure: mails.test.ts.
  elsewhere.push('receiveMail', 'receiveReport', 'wrongMailSecretsFromAddress', 'wrongMailSecrets')
  // Over SFTP: inbox.test.ts.
  elsewhere.push('uploadBySftp', 'fetchBySftp')
  // They have no procedure: send-by-mail.test.ts, file-links.test.ts.
  elsewhere.push('mailFile', 'readsOfFileLink')
  // They refuse no call: recovery-limits.test.ts.
  elsewhere.push('recoverAccount', 'recoverAny')
  const limits = [...limitedCalls.map(({ limit }) => limit), ...elsewhere]
  expect(limits.toSorted()).toEqual(Object.keys(defaultLimits).toSorted())
})

describe.each(everyTransport)('over %s', (transport) => {
  const calls = limitedCalls.filter((call) => transport === 'tRPC' || findRoute(call))

  it.each(calls)(
    '$limit allows $allowed calls and refuses the next',
    async (call) => {
      const created = transport === 'REST' ? findRoute(call)?.[1] : undefined
      const ok = call.failsWith ?? created?.status ?? 200
      const makeTen = (from: number) =>
        makeCalls(transport, call, from, Math.min(from + 10, call.allowed))
      for (let count = 0; count < call.allowed; count += 10) {
        expect(new Set(await makeTen(count))).toEqual(new Set([ok]))
      }
      const refused = await transports[transport](call, await call.make(world, call.allowed))
      expect([refused.status, refused.error]).toEqual([
        429,
        {
          message: expect.stringMatching(/^Too many attempts\. Try again in \d+ \w+\.$/) as string,
        },
      ])
      expect(refused.headers['retry-after']).toBe(String(call.retryAfterSeconds))
      expect((await transports[transport](call, await call.make(world, 'other'))).status).toBe(ok)

      world.testApp.deps.clock.advance(call.retryAfterSeconds * 1_000 - 1)
      const early = await transports[transport](call, await call.make(world, call.allowed + 1))
      expect([early.status, early.headers['retry-after']]).toEqual([429, '1'])
      world.testApp.deps.clock.advance(1)
      const later = await transports[transport](call, await call.make(world, call.allowed + 2))
      expect(later.status).toBe(ok)
    },
    30_000,
  )

  it.each(calls)('$limit can be configured', async (call) => {
    world.testApp.deps.limits[call.limit] = { max: 1, windowMs: 7_000 }
    await transports[transport](call, await call.make(world, 1))
    const refused = await transports[transport](call, await call.make(world, 2))
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7'])
  })
})

it('allows 30 Google sign-in windows per address in ten minutes', async () => {
  const client = world.testApp.client()
  const open = async () => (await client.request('GET', '/api/auth/google/start')).status
  for (let count = 0; count < 30; count++) expect(await open()).toBe(302)
  expect(await open()).toBe(429)
  world.testApp.deps.clock.advance(10 * 60_000)
  expect(await open()).toBe(302)
})

/** The statuses of calls `from` to `to`, made concurrently unless the call forbids it. */
async function makeCalls(
  transport: keyof typeof transports,
  call: LimitedCall,
  from: number,
  to: number,
) {
  const statuses: Promise<number>[] = []
  for (let count = from; count < to; count += 1) {
    const status = makeCall(transport, call, count)
    if (call.isOneAtATime) await status
    statuses.push(status)
  }
  return Promise.all(statuses)
}

async function makeCall(transport: keyof typeof transports, call: LimitedCall, count: number) {
  const { status } = await transports[transport](call, await call.make(world, count))
  return status
}
