import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { engineOf } from '../../db/engine'
import { inTransaction } from '../../db/open'
import { hashSecretToken } from '../../domain/secret-token'
import { createCompressedFiles } from '../../features/distribution/compressed-files/find-copies'
import { createFeedFiles, openFeedFile } from '../../features/distribution/downloads/feed-file'
import {
  createRetailerFiles,
  openRetailerFile,
} from '../../features/distribution/downloads/retailer-files'
import { createFeedAddress } from '../../features/distribution/feed-addresses/feed-addresses'
import { createGroup } from '../../features/distribution/groups/groups'
import { assignGroup } from '../../features/distribution/groups/members'
import { openMergedRead } from '../../features/distribution/merged-files/merged-reads'
import { createSignedInReader } from '../../features/people/accounts/signed-in'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../servers/source-server'
import { openWorld, type World } from '../stages/world'

const READER = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
const REQUEST = { asked: 'own' as const, since: null, reader: READER }
/** Records of migrations, and of changes themselves. */
const KEPT = new Set(['kysely_migration', 'kysely_migration_lock', 'changes'])
/** Rows never get another key, and never belong to others than before. */
const KEYS = new Set(
  [
    ['compressedFiles.sha256', 'sessions.idHash', 'sessions.userId'],
    ['retailers.userId', 'retailers.supplierId', 'connections.supplierId'],
    ['retailerGroups.supplierId'],
    ['feedAddresses.retailerId', 'feedAddresses.tokenHash'],
    ['downloads.retailerId', 'variants.versionId'],
  ].flat(),
)

let sourceServer: SourceServer
let world: World
let before: Snapshot
/** What is remembered, and what is true, by what was asked for. */
let reads: Record<string, { remembered: () => Promise<unknown>; read: () => Promise<unknown> }>

const deps = () => world.testApp.deps

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { db, clock } = deps()
  const { user, id } = world.retailer
  const group = await createGroup(deps(), world.supplier, {
    name: 'Boutiques',
    isForNewcomers: false,
    visibilitySettings: { allProducts: true, categories: [] },
    syncFrequency: 60,
  })
  await assignGroup(deps(), world.supplier, { ids: [id], groupId: group.id })
  const { path } = await createFeedAddress(deps(), user, id)
  const [, , token = ''] = path.split('/')
  const feedFiles = createFeedFiles(deps(), openMergedRead)
  const retailerFiles = createRetailerFiles(deps())
  const file = { id, fileName: world.fileName }
  const opened = await feedFiles.open(token, REQUEST)
  const sha256 = 'sha256' in opened ? opened.sha256 : ''
  const copies = createCompressedFiles(db, clock)
  await inTransaction(db, (trx) =>
    trx
      .insertInto('compressedFiles')
      .values({ sha256, status: 'ready', requestedAt: 1, gzipSha256: 'a', gzipBytes: 1 })
      .execute(),
  )
  const signedIn = createSignedInReader(db, clock)
  const sessions = db.selectFrom('sessions').select('idHash').where('userId', '=', user.id)
  const { idHash } = await sessions.executeTakeFirstOrThrow()
  reads = {
    'the file of a feed address': {
      remembered: () => feedFiles.open(token, REQUEST),
      read: async () =>
        (await openFeedFile(deps(), hashSecretToken(token), REQUEST, openMergedRead)).value,
    },
    'the file of a retailer': {
      remembered: () => retailerFiles.open(user, file),
      read: () => openRetailerFile(deps(), user, file),
    },
    'the copies of a file': {
      remembered: () => copies.find(sha256),
      read: () => createCompressedFiles(db, clock).find(sha256),
    },
    'who is signed in': {
      remembered: () => signedIn.find(idHash),
      read: () => createSignedInReader(db, clock).find(idHash),
    },
  }
  before = await takeSnapshot(db)
})
afterEach(() => restoreSnapshot(deps().db, before))
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** What is answered, or why not. */
async function answer(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify((await read()) ?? null))
  } catch (error) {
    return String(error)
  }
}

/** Reads everything until it is remembered, makes a change, and compares. */
async function compareAfter(made: string, change: () => Promise<unknown>): Promise<boolean> {
  for (let count = 0; count < 3; count++) {
    for (const { remembered } of Object.values(reads)) await answer(remembered)
  }
  try {
    await change()
  } catch {
    // The schema does not permit it.
    return false
  }
  for (const [what, { remembered, read }] of Object.entries(reads)) {
    // First what is remembered: to read may move the retailer to another file.
    const found = await answer(remembered)
    const truth = await answer(read)
    // The product writes no JSON that it cannot read.
    if (/holds an invalid value/.test(String(truth))) continue
    expect([made, what, found]).toEqual([made, what, truth])
  }
  return true
}

/** Other values of a column, by what it has. */
const toOthers = (column: string, value: unknown) =>
  typeof value === 'number'
    ? { more: sql`${sql.ref(column)} + 1`, zero: sql`0`, nothing: sql`null` }
    : { longer: sql`${sql.ref(column)} || 'x'`, nothing: sql`null`, one: sql`1` }

describe('what is remembered is what is true', () => {
  it('after every change of every column of every table', async () => {
    let count = 0
    for (const [table, rows] of Object.entries(before)) {
      if (KEPT.has(table) || rows.length === 0) continue
      for (const [column, value] of Object.entries(rows[0] ?? {})) {
        if (column === 'id' || KEYS.has(`${table}.${column}`)) continue
        const others = Object.entries(toOthers(column, value))
        // Each change takes a server much longer than it takes a file.
        const isServer = engineOf(deps().db).name === 'PostgreSQL'
        for (const [kind, other] of isServer ? others.slice(0, 1) : others) {
          const update = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${other}`
          const isMade = await compareAfter(`${table}.${column} = ${kind}`, () =>
            inTransaction(deps().db, (trx) => update.execute(trx)),
          )
          if (isMade) count += 1
          await restoreSnapshot(deps().db, before)
        }
      }
    }
    expect(count).toBeGreaterThan(100)
  }, 600_000)

  it('after the rows of each table are gone, and after they are back', async () => {
    let count = 0
    for (const table of Object.keys(before)) {
      if (KEPT.has(table)) continue
      const remove = sql`delete from ${sql.table(table)}`
      const isMade = await compareAfter(`delete from ${table}`, () =>
        inTransaction(deps().db, (trx) => remove.execute(trx)),
      )
      if (isMade) count += 1
      await compareAfter(`restore ${table}`, () => restoreSnapshot(deps().db, before))
    }
    expect(count).toBeGreaterThan(20)
  })
})
