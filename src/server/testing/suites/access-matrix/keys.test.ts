import { isDeepStrictEqual } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { KEY_SCOPES, type KeyScope } from '../../../../shared/api-keys'
import { definitionOf, procedurePaths } from '../../../api/procedures'
import { findUser } from '../../../features/people/accounts/users.queries'
import { putApiKey } from '../../fixtures/api-key-samples'
import { createMember, createSupplierConnection } from '../../fixtures/factories'
import type { Sample } from '../../fixtures/sampler'
import { makeSample, nameOf } from '../../fixtures/samples'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { addressOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { keyMatrix, SCOPE_LETTERS } from './key-matrix'
import { accessMatrix, type MatrixRow } from './matrix'
import { peopleMatrix } from './people-matrix'

const HOLDERS = [
  'owningSupplier',
  'otherSupplier',
  'ownRetailer',
  'otherRetailer',
  'administrator',
] as const
type Holder = (typeof HOLDERS)[number]

/** Keys that are limited to an object, all of an administrator, who reaches every one. */
const LIMITED = ['connection', 'other connection', 'retailer', 'other retailer'] as const

const MEMBERS = [
  ['owningSupplier', 'EDITOR', 'E'],
  ['owningSupplier', 'VIEWER', 'V'],
  ['ownRetailer', 'BUYER', 'B'],
  ['ownRetailer', 'TECHNICIAN', 'T'],
] as const

/** The description of the API is for anyone, and looks at no key. */
const rows = accessMatrix.filter(
  ({ route }) => route?.includes(' /api/') && route !== 'GET /api/openapi.json',
)

let sourceServer: SourceServer
/** Shared by all tests; after each that may change rows, they are restored. */
let world: World
let pristine: Snapshot
const tokens = new Map<string, string>()
const memberIds = new Map<string, number>()

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  const used = { lastUsedAt: deps.clock.now() }
  const put = async (name: string, id: number, row = {}) =>
    tokens.set(name, (await putApiKey(deps, { id }, { ...used, ...row })).token)
  for (const holder of HOLDERS) {
    for (const scope of KEY_SCOPES) {
      await put(`${holder} ${scope}`, world.userIds[holder], { scopes: [scope] })
    }
  }
  const other = await createSupplierConnection(deps, world.otherSupplier, world.sourceUrl)
  const { id: otherRetailerId } = await deps.db
    .selectFrom('retailers')
    .select('id')
    .where('userId', '=', world.userIds.otherRetailer)
    .executeTakeFirstOrThrow()
  const { administrator } = world.userIds
  await put('connection', administrator, { connectionId: world.connectionId })
  await put('other connection', administrator, { connectionId: other.id })
  await put('retailer', administrator, { retailerId: world.retailer.id })
  await put('other retailer', administrator, { retailerId: otherRetailerId })
  for (const [company, role] of MEMBERS) {
    const member = await createMember(
      deps,
      (await findUser(deps.db, world.userIds[company]))!,
      role,
    )
    memberIds.set(role, member.id)
    await put(role, member.id)
  }
  pristine = await takeSnapshot(deps.db)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

async function call(row: MatrixRow, sample: Sample, token: string) {
  const { method, url, body } = addressOf('REST', row, sample)
  const authorization = `Bearer ${token}`
  return world.testApp.client().request(method, url, body, { authorization })
}

/** What comes of a call by a key. Whatever it has changed is restored. */
async function tryKey(row: MatrixRow, holder: Holder, key: string) {
  const { deps } = world.testApp
  const sample = await makeSample(row, world, holder)
  const before = await takeSnapshot(deps.db)
  const { status } = await call(row, sample, tokens.get(key)!)
  await deps.queue.idle()
  const after = await takeSnapshot(deps.db)
  if (!isDeepStrictEqual(after, pristine)) await restoreSnapshot(deps.db, pristine)
  return { key, status, hasChanged: !isDeepStrictEqual(after, before) }
}

/** A refused call changes no row. */
const outcome = (key: string, status: number) => ({
  key,
  status,
  hasChanged: status >= 400 ? false : (expect.any(Boolean) as boolean),
})

const scopesOf = ({ route }: MatrixRow): KeyScope[] => {
  const [letters = ''] = keyMatrix[route as keyof typeof keyMatrix] ?? []
  return letters.split('').flatMap((letter) => SCOPE_LETTERS[letter] ?? [])
}

describe.each(rows.map((row) => ({ name: nameOf(row), row })))('$name', ({ row }) => {
  it.each(HOLDERS)('is reached by keys of %s with its scopes, and by no other', async (holder) => {
    const allowed = scopesOf(row)
    for (const scope of KEY_SCOPES) {
      const status = allowed.includes(scope) ? row.expect[holder] : 403
      const key = `${holder} ${scope}`
      expect(await tryKey(row, holder, key)).toEqual(outcome(key, status))
    }
  })

  it('is reached by keys that are limited to its object, and by no other such key', async () => {
    const [, about] = keyMatrix[row.route as keyof typeof keyMatrix] ?? []
    // Its sample deletes connections first, and keys go with them.
    const isGone = row.route === 'POST /api/connections'
    for (const key of LIMITED.filter((limit) => !isGone || !limit.endsWith('connection'))) {
      const [part = ''] = key.split(' ').toReversed()
      const ofPart = key === part ? row.expect.administrator : 404
      const status = about === 'person' ? 200 : about === part ? ofPart : 403
      expect(await tryKey(row, 'administrator', key)).toEqual(outcome(key, status))
    }
  })

  it.each(MEMBERS)(
    'is reached by keys of people of %s as the role %s says',
    async (company, role, letter) => {
      const isReached = scopesOf(row).length > 0
      const allowed = peopleMatrix[row.procedure ?? row.route!]
      const isAllowed = allowed === undefined || allowed.includes(letter)
      const status = isReached && isAllowed ? row.expect[company] : 403
      expect(await tryKey(row, company, role)).toEqual(outcome(role, status))
    },
  )
})

it('no call of tRPC is reached by a key, with all scopes of an administrator', async () => {
  const { token } = await putApiKey(world.testApp.deps, { id: world.userIds.administrator })
  const headers = { authorization: `Bearer ${token}` }
  const client = world.testApp.client()
  for (const path of procedurePaths) {
    const method = definitionOf(path).type === 'mutation' ? 'POST' : 'GET'
    const body = method === 'POST' ? {} : undefined
    const { status, text } = await client.request(method, `/trpc/${path}`, body, headers)
    expect([path, status, text]).toEqual([
      path,
      401,
      expect.stringContaining('Keys are for the calls below /api'),
    ])
  }
})
