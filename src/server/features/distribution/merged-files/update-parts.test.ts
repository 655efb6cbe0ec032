import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { saveMergedFileInput } from '../../../../shared/schemas/merged-file'
import { toInstant } from '../../../domain/instant'
import { hashSecretToken } from '../../../domain/secret-token'
import {
  type MergedFileStage,
  openMergedFileStage,
} from '../../../testing/stages/merged-file-stage'
import { recordStatements } from '../../../testing/stages/record-statements'
import { WHOLE } from '../downloads/feed-file'
import { makeMergedFiles } from './make-merged-files'
import { getMergedFile, saveMergedFile } from './merged-file'
import { openMergedRead } from './merged-reads'

let stage: MergedFileStage
beforeEach(async () => {
  stage = await openMergedFileStage()
})
afterEach(() => stage.close())

const READER = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
const { signal } = new AbortController()

const sorted = ({ rows: [, ...rows] }: { rows: string[][] }) =>
  rows.map((row) => row.join()).toSorted()

async function mergeTwo(rules: object = {}) {
  const north = await stage.addSupplier('sku,qty\r\nN1,1\r\n')
  const south = await stage.addSupplier('sku,qty\r\nS1,1\r\n')
  const parts = [
    { retailerId: north.retailerId, prefix: 'N-' },
    { retailerId: south.retailerId, prefix: 'S-' },
  ]
  await stage.save({ rules, profile: { kind: 'stock' }, parts })
  return { north, south, parts, token: await stage.address() }
}

/** Counts the statements of what is done with a merged file. */
async function countStatements(parts: object[], token: string) {
  const statements: string[] = []
  // It is made below, and by nobody else.
  const queue = { ...stage.deps.queue, add: async () => undefined }
  const deps = { ...stage.deps, queue, db: recordStatements(stage.deps.db, statements) }
  const count = async (work: () => Promise<unknown>) => {
    statements.length = 0
    await work()
    return statements.length
  }
  const input = saveMergedFileInput.parse({ rules: {}, profile: { kind: 'stock' }, parts })
  const request = { ...WHOLE, reader: READER }
  return {
    read: await count(() => openMergedRead(deps, hashSecretToken(token), request)),
    shown: await count(() => getMergedFile(deps, stage.retailer)),
    saved: await count(() => saveMergedFile(deps, stage.retailer, input)),
    made: await count(() => makeMergedFiles(deps, signal)),
  }
}

describe('the parts of a merged file', () => {
  it('take as many statements, however many suppliers there are', async () => {
    const { parts, token } = await mergeTwo()
    const few = await countStatements(parts, token)
    for (const prefix of ['A-', 'B-', 'C-']) {
      const { retailerId } = await stage.addSupplier(`sku,qty\r\n${prefix},1\r\n`)
      parts.push({ retailerId, prefix })
    }
    await stage.save({ rules: {}, profile: { kind: 'stock' }, parts })
    const { made, ...others } = await countStatements(parts, token)
    // A transaction may have been tried twice before.
    expect(made).toBeLessThanOrEqual(few.made)
    expect(others).toEqual({ read: few.read, shown: few.shown, saved: few.saved })
  })

  it('stay as they are once their version is gone, as long as no newer one can be used', async () => {
    const { north, south, token } = await mergeTwo({ maxAgeHours: 48 })
    const before = await stage.read(token)
    const { db, clock } = stage.deps
    const { versionId } = await db
      .selectFrom('mergedParts')
      .select('versionId')
      .where('retailerId', '=', north.retailerId)
      .executeTakeFirstOrThrow()
    clock.advance(HOUR_MS)
    await stage.publish(north.supplier, 'sku,colour\r\nN1,red\r\n')
    await db
      .deleteFrom('versions')
      .where('id', '=', versionId ?? 0)
      .execute()
    await stage.publish(south.supplier, 'sku,qty\r\nS1,2\r\n')
    await stage.settle()
    const after = await stage.read(token)
    expect(sorted(after)).toEqual(['N-N1,1', 'S-S1,2'])
    expect(after.dataAsOf).toBe(before.dataAsOf)
    const { relations } = await getMergedFile(stage.deps, stage.retailer)
    expect(relations[0]?.part).toMatchObject({
      dataAsOf: toInstant(before.dataAsOf),
      failure: expect.stringContaining('the quantity') as string,
    })
    await stage.settle(48 * HOUR_MS)
    expect((await stage.read(token)).rows).toContainEqual(['N-N1', '0'])
  })

  it('keep nothing else back when one of them cannot be read, for whatever reason', async () => {
    const { north, south, token } = await mergeTwo()
    const { readers } = stage.deps
    const { run } = readers
    readers.run = async (kind, task, options) => {
      if (kind === 'partFile' && 'prefix' in task && task.prefix === 'N-')
        throw new Error('the disk')
      return run(kind, task, options)
    }
    await stage.publish(north.supplier, 'sku,qty\r\nN1,5\r\n')
    await stage.publish(south.supplier, 'sku,qty\r\nS1,5\r\n')
    await stage.settle()
    expect(sorted(await stage.read(token))).toEqual(['N-N1,1', 'S-S1,5'])
    const { relations } = await getMergedFile(stage.deps, stage.retailer)
    expect(relations[0]?.part?.failure).toBe(
      'The newest file could not be read. It will be tried again.',
    )
    readers.run = run
    await stage.settle(HOUR_MS)
    expect((await stage.read(token)).rows).toContainEqual(['N-N1', '5'])
  })

  it('are shown as old as they are: a sync that finds nothing new makes them young', async () => {
    const { north, south } = await mergeTwo({ maxAgeHours: 2 })
    stage.source.set(`/${south.supplier.id}.csv`, { body: '' })
    stage.deps.clock.advance(3 * HOUR_MS)
    await stage.publish(north.supplier, 'sku,qty\r\nN1,1\r\n')
    const { relations } = await getMergedFile(stage.deps, stage.retailer)
    const shown = relations.map(({ part }) => [part?.dataAsOf, part?.isStale])
    const now = stage.deps.clock.now()
    expect(shown).toEqual([
      [toInstant(now), false],
      [toInstant(now - 3 * HOUR_MS), true],
    ])
  })
})

describe('the part of a supplier that is deactivated', () => {
  it('stays as it is, as at the addresses of that supplier, and says so', async () => {
    const { south, token } = await mergeTwo()
    const { db } = stage.deps
    const setActive = (isActive: boolean) =>
      db.updateTable('users').set({ isActive }).where('id', '=', south.supplier.id).execute()
    await setActive(false)
    await stage.settle(2 * HOUR_MS)
    expect(sorted(await stage.read(token))).toContain('S-S1,1')
    const inactive = async () =>
      (await getMergedFile(stage.deps, stage.retailer)).relations.map(
        ({ part }) => part?.isInactive,
      )
    expect(await inactive()).toEqual([false, true])
    await setActive(true)
    expect(await inactive()).toEqual([false, false])
  })
})
