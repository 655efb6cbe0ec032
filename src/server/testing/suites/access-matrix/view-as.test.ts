import { beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import { routeRoles } from '../../../api/route-roles'
import { makeSample } from '../../fixtures/samples'
import { takeSnapshot } from '../../fixtures/snapshot'
import { shareWorld } from '../../stages/shared-world'
import type { Client } from '../../stages/test-app'
import { callOver, isRead, matrixCalls, successOf, type MatrixCall } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { accessMatrix } from './matrix'

let world: World
shareWorld(async (sourceServer) => {
  world = await openWorld(sourceServer)
  // These are more calls than a user makes in a minute.
  world.testApp.deps.limits.callsByUser = { max: 100_000, windowMs: MINUTE_MS }
  return world
})

const VIEWED = ['owningSupplier', 'ownRetailer'] as const
type Viewed = (typeof VIEWED)[number]

/** The administrator's client, while it sees the product as another user. */
async function viewAs(viewed: Viewed): Promise<Client> {
  const { testApp, clients, userIds } = world
  const client = testApp.client(clients.administrator.cookie)
  const { status, text } = await client.call('mutation', 'viewings.begin', {
    userId: userIds[viewed],
  })
  expect(status, text).toBe(200)
  return client
}

/** What changes something although it is a GET request. */
const WRITING_READS = new Set([
  'GET /api/auth/google/start',
  'GET /api/auth/google/callback',
  'GET /api/account/data.json',
  'GET /api/account/data.csv',
])
/** What ends the view. */
const ENDS = new Set(['session.logout', 'viewings.stop'])
/** Not served without the built client. */
const PAGES = /^GET \/(?::file|assets\/:file|upload\/:token|auth|\*)?$/

const calls = matrixCalls.filter(({ row }) => !PAGES.test(row.route ?? ''))
const isWrite = (call: MatrixCall) =>
  !isRead(call) || (call.transport === 'REST' && WRITING_READS.has(call.row.route ?? ''))
const endsView = ({ row }: MatrixCall) => ENDS.has(row.procedure ?? '')

describe.each(VIEWED)('an administrator who views the product as the %s', (viewed) => {
  let client: Client
  beforeEach(async () => {
    client = await viewAs(viewed)
  })

  const callAsViewer = async ({ row, transport }: MatrixCall) => {
    const sample = await makeSample(row, world, viewed)
    const before = await takeSnapshot(world.testApp.deps.db)
    const response = await callOver(world.testApp.app, transport, row, client, sample)
    return { ...response, before, after: await takeSnapshot(world.testApp.deps.db) }
  }

  it.each(calls.filter((call) => isWrite(call) && !endsView(call)))(
    'may not make $name over $transport',
    async (call) => {
      const { status, text, before, after } = await callAsViewer(call)
      expect(status, text).toBe(403)
      expect(after).toEqual(before)
    },
  )

  it.each(calls.filter((call) => !isWrite(call)))(
    'gets what the user gets from $name over $transport, and leaves no trace',
    async (call) => {
      const { status, text, before, after } = await callAsViewer(call)
      expect(status, text).toBe(successOf(call, viewed))
      expect(after).toEqual(before)
    },
  )

  it.each(calls.filter(endsView))('may stop with $name over $transport', async (call) => {
    const { status, text } = await callAsViewer(call)
    expect(status, text).toBe(successOf(call, 'administrator'))
    const { viewings } = await takeSnapshot(world.testApp.deps.db)
    expect(viewings).toEqual([])
  })
})

it('does not read a file as the retailer: nothing counts as a download, and nothing moves', async () => {
  const { deps } = world.testApp
  // Of calls before.
  await deps.pulls.flush()
  await deps.db.deleteFrom('downloads').execute()
  await deps.db
    .updateTable('retailers')
    .set({ currentVersionId: null, currentSince: null })
    .execute()
  const before = await takeSnapshot(deps.db)
  const client = await viewAs('ownRetailer')
  const path = `/api/retailers/${world.retailer.id}`
  const latest = await client.request('GET', `${path}/latest-file`)
  const file = await client.request('GET', `${path}/files/${world.fileName}`)
  expect([latest.status, file.status]).toEqual([200, 200])
  await deps.pulls.flush()
  const { viewings: _viewings, auditEntries: _entries, ...after } = await takeSnapshot(deps.db)
  expect(before).toMatchObject(after)
  expect(after.downloads).toEqual([])
})

it('every route with a method that writes is among these calls', () => {
  const writing = Object.keys(routeRoles).filter((address) => !/^(?:GET|ANY) /.test(address))
  const walked = new Set(accessMatrix.map(({ route }) => route))
  expect(writing.filter((address) => !walked.has(address as never))).toEqual([])
})
