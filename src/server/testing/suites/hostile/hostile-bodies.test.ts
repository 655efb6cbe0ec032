import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiRoutes } from '../../../api/api-routes'
import { makeSample } from '../../fixtures/samples'
import { takeSnapshot } from '../../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { addressOf, inputOf, writeCalls, type ApiCall } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { judge, JSON_TYPE, refused } from './hostile'

const KIB = 1024
const DEPTH = 100_000
const nested = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH)

/** Bodies that every call refuses. */
const UNREADABLE: [
  what: string,
  body: string | Buffer,
  headers: Record<string, string>,
  status: number,
][] = [
  ['truncated JSON', '{"username":"a"', JSON_TYPE, 400],
  ['JSON with trailing text', '{}{}', JSON_TYPE, 400],
  ['text that is not JSON', 'username=a', JSON_TYPE, 400],
  ['NaN', '{"id":NaN}', JSON_TYPE, 400],
  ['a comment', '{}/**/', JSON_TYPE, 400],
  ['single quotes', "{'id':1}", JSON_TYPE, 400],
  ['only a byte order mark', '\uFEFF', JSON_TYPE, 400],
  ['binary data', Buffer.from([0xff, 0xfe, 0x00, 0x7b]), JSON_TYPE, 400],
  ['257 KiB', JSON.stringify({ padding: 'x'.repeat(257 * KIB) }), JSON_TYPE, 413],
  ['plain text', '{}', { 'content-type': 'text/plain' }, 415],
  ['a form', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a form with files', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ['bytes', '{}', { 'content-type': 'application/octet-stream' }, 415],
  ['JSON with another content type', '{}', { 'content-type': 'text/json' }, 415],
  ['an invalid content type', '{}', { 'content-type': 'nonsense' }, 415],
  ['no content type', '{}', {}, 415],
]

/** JSON that is not an object with the fields of the call. */
const MISSHAPEN: [what: string, body: string][] = [
  ['null', 'null'],
  ['a list', '[]'],
  ['a list of objects', '[{"id":1}]'],
  ['a text', '"id"'],
  ['a number', '7'],
  ['true', 'true'],
  ['an infinite number', '1e400'],
  ['100,000 nested lists', nested('[', ']')],
]

const FAR_NUMBER = 987_654_321_012

/** Columns that callers must not be able to set: they are dropped unless the schema has them. */
const SMUGGLED = {
  role: 'SUPER_ADMIN',
  isActive: false,
  maxRetailers: FAR_NUMBER,
  passwordHash: 'smuggled',
  googleUid: 'smuggled',
  googleIssuer: 'smuggled',
  settings: { theme: 'smuggled' },
  sessionEpoch: FAR_NUMBER,
  registeredByUserId: FAR_NUMBER,
  createdAt: '2000-01-01T00:00:00.000Z',
  lastSync: '2000-01-01T00:00:00.000Z',
  lastSyncAt: 946_684_800_000,
  nextSyncAt: 946_684_800_000,
  supplierName: 'smuggled',
  publishedVersionId: FAR_NUMBER,
  currentVersionId: FAR_NUMBER,
  usernameKey: 'smuggled',
  photoURL: 'https://smuggled.example/',
  toString: 'smuggled',
}
const POLLUTION =
  '"__proto__":{"polluted":1,"role":"SUPER_ADMIN"},"constructor":{"prototype":{"polluted":1}}'

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())

/** What is sent to these addresses is a file, whatever it contains. */
const takesFile = ({ row }: ApiCall) =>
  row.route !== null && 'takes' in ((apiRoutes as Record<string, object>)[row.route] ?? {})

/** How many of the bodies `npm test` sends to a call: one of so many, in turn, so that each is sent to many calls. */
const SHARE = process.env.SHORT ? 5 : 1
const calls = writeCalls.filter((call) => !takesFile(call))
const ofShare = <T>(bodies: readonly T[], place: number) =>
  bodies.filter((_, index) => (index + place) % SHARE === 0)

describe.each(calls.map((call, place) => ({ ...call, place })))(
  '$name over $transport',
  ({ transport, row, actor, status, place }) => {
    beforeAll(async () => {
      world = await openWorld(sourceServer)
    })
    afterAll(() => world.testApp.close())

    const input = inputOf(row)

    async function send(body: string | Buffer, headers: Record<string, string>) {
      const { method, url } = addressOf(transport, row, await makeSample(row, world, actor))
      return () => world.clients[actor].request(method, url, body, headers)
    }

    // tRPC ignores the body for a procedure without input.
    const isRead = transport === 'REST' || input !== undefined
    const unreadable = UNREADABLE.filter(([, , , refusal]) => isRead || refusal !== 400)

    it.each(ofShare(unreadable, place))('refuses %s', async (_what, body, headers, refusal) => {
      expect(await judge(world, transport, await send(body, headers))).toEqual(refused(refusal))
    })

    it.each(input ? ofShare(MISSHAPEN, place) : [])('refuses %s', async (_what, body) => {
      expect(await judge(world, transport, await send(body, JSON_TYPE))).toEqual(refused(400))
    })

    it('drops unknown keys', async () => {
      const fresh = await openWorld(sourceServer)
      const sample = await makeSample(row, fresh, actor)
      const { method, url, body } = addressOf(transport, row, sample)
      const known = new Set(Object.keys((input as { shape?: object } | undefined)?.shape ?? {}))
      const extra = Object.entries(SMUGGLED).filter(([key]) => !known.has(key))
      const text = JSON.stringify({ ...Object.fromEntries(extra), ...body })
      const payload = `{${POLLUTION},${text.slice(1)}`
      // Some calls are there to give or take access.
      const columns = known.has('isActive') ? ROLE : ([...ROLE, 'isActive'] as const)
      const before = await listUsers(fresh, columns)
      const response = await fresh.clients[actor].request(method, url, payload, JSON_TYPE)
      expect(response.status, response.text).toBe(status)
      const rows = JSON.stringify(await takeSnapshot(fresh.testApp.deps.db))
      expect(rows).not.toMatch(/smuggled|987654321012|946684800000|2000-01-01|polluted/)
      const after = await listUsers(fresh, columns)
      expect(before).toMatchObject(
        before.map(({ id }) => after.find((user) => user.id === id) ?? {}),
      )
      expect(after.filter(({ role }) => role === 'SUPER_ADMIN')).toHaveLength(1)
      expect({}).not.toHaveProperty('polluted')
      await fresh.testApp.close()
    })
  },
)

const ROLE = ['id', 'role'] as const

const listUsers = ({ testApp }: World, columns: readonly ('id' | 'role' | 'isActive')[]) =>
  testApp.deps.db.selectFrom('users').select(columns).execute()
