import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { saveCardInput } from '../../../../shared/schemas/directory'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { openSyncStage } from '../../../testing/stages/sync-stage'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getCard, saveCard } from './cards'
import { countCardDays } from './freshness'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { companyName: 'Northbeck' })
})
afterEach(() => deps.close())

const save = (input: object = {}) =>
  saveCard(
    deps,
    supplier,
    saveCardInput.parse({
      isPublished: false,
      name: 'Northbeck',
      description: 'Shoes',
      categories: [],
      ...input,
    }),
  )
/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function putRuns(connectionId: number, day: number, outcomes: ('failed' | 'unchanged')[]) {
  for (const [place, outcome] of outcomes.entries()) {
    const at = day * DAY_MS + place * HOUR_MS
    const leaseToken = `${day} ${place}`
    const run = { connectionId, leaseToken, startedAt: at, finishedAt: at, outcome }
    await deps.db.insertInto('syncRuns').values(run).execute()
  }
}

describe('a card', () => {
  it('is published by nobody but its supplier, who sees it before', async () => {
    expect(await getCard(deps, supplier)).toMatchObject({
      isPublished: false,
      name: 'Northbeck',
      updatedAt: null,
    })
    expect(await save()).toMatchObject({ isPublished: false, description: 'Shoes' })
    expect(await save({ isPublished: true })).toMatchObject({ isPublished: true })
  })

  it('keeps its logo until there is another one or none', async () => {
    const logo = `data:image/png;base64,${PIXEL}`
    expect((await save({ logo: PIXEL })).logo).toBe(logo)
    expect((await save({ description: 'Hats' })).logo).toBe(logo)
    expect((await save({ logo: null })).logo).toBeNull()
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    await expect(save({ logo: drawing })).rejects.toMatchObject({ code: 'INVALID' })
    const wide = Buffer.from(PIXEL, 'base64')
    expect(saveCardInput.shape.logo.safeParse('A'.repeat(33_000)).success).toBe(false)
    await expect(save({ logo: wide.subarray(0, 40).toString('base64') })).rejects.toMatchObject({
      code: 'INVALID',
    })
  })

  it('names only categories of the published file', async () => {
    await expect(save({ categories: ['Shoes'] })).rejects.toMatchObject({ code: 'INVALID' })
    const stage = await openSyncStage()
    stage.sourceServer.set('/feed.csv', { body: 'sku,qty,category\r\n1,5,Shoes\r\n' })
    await stage.connect()
    await stage.deps.work()
    const saveOf = (category: string) =>
      saveCard(stage.deps, stage.supplier, {
        isPublished: true,
        name: 'Stage',
        description: '',
        categories: [category, category],
      })
    expect((await saveOf('Shoes')).categories).toEqual(['Shoes'])
    await expect(saveOf('Secrets')).rejects.toMatchObject({ code: 'INVALID' })
    await stage.close()
  })

  it('tells how the source was read on days that are over, once they are', async () => {
    const { id } = await createSupplierConnection(deps, supplier, 'http://127.0.0.1:1/')
    const today = Math.floor(deps.clock.now() / DAY_MS)
    await putRuns(id, today - 3, ['unchanged', 'failed'])
    await putRuns(id, today - 1, ['failed'])
    await putRuns(id, today, ['unchanged'])
    // At once; the day without a sync counts.
    expect((await save()).freshness).toEqual({ days: 3, freshDays: 1, goodShare: 33 })
    deps.clock.advance(DAY_MS)
    const { signal } = new AbortController()
    await countCardDays(deps, signal)
    await countCardDays(deps, signal)
    expect((await getCard(deps, supplier)).freshness).toEqual({
      days: 4,
      freshDays: 2,
      goodShare: 50,
    })
    deps.clock.advance(90 * DAY_MS)
    await countCardDays(deps, signal)
    const kept = await deps.db.selectFrom('cardDays').select('day').execute()
    expect(Math.min(...kept.map(({ day }) => day))).toBeGreaterThan(today)
  })
})
