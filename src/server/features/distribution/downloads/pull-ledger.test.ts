import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createPullLedger, type Pull, type PullBatch } from './pull-ledger'

const sent = { variantId: null, fileName: 'a.csv', dataAsOf: 1, rowCount: 1, sizeBytes: 1 }
/** A read of the retailer’s address, which has the same id. */
const pullOf = (retailerId: number, pulledAt = 1): Pull => ({
  retailerId,
  versionId: 1,
  addressId: retailerId,
  pulledAt,
  client: 'curl',
  sent,
})

let written: PullBatch[]
let errors: unknown[]

beforeEach(() => {
  vi.useFakeTimers()
  written = []
  errors = []
})
afterEach(() => {
  vi.useRealTimers()
})

const openLedger = (write = async (batch: PullBatch) => void written.push(batch)) =>
  createPullLedger(write, (error) => errors.push(error))

describe('records of pulls', () => {
  it('are written together, within seconds', async () => {
    const ledger = openLedger()
    ledger.add(pullOf(1))
    ledger.add(pullOf(2))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(written.map(({ downloads }) => downloads)).toEqual([[pullOf(1), pullOf(2)]])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(written).toHaveLength(1)
  })

  it('have the last read of each address that was refused, also without any other', async () => {
    const refusedAt = (at: number) =>
      ({
        id: 1,
        refusedAt: at,
        refusal: 'password-wrong',
        refusedClient: 'curl',
        refusedFrom: null,
      }) as const
    const ledger = openLedger()
    ledger.refuse(refusedAt(1))
    ledger.refuse(refusedAt(2))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(written.map(({ refused }) => refused)).toEqual([[refusedAt(2)]])
    await ledger.flush()
    expect(written).toHaveLength(1)
  })

  it('count each retailer’s, of which the last one is kept', async () => {
    const ledger = openLedger()
    for (const pulledAt of [1, 2, 3]) ledger.add({ ...pullOf(1, pulledAt), sent: null })
    ledger.add(pullOf(2))
    await ledger.flush()
    const last = { ...pullOf(1, 3), sent: null }
    expect(written).toEqual([
      {
        downloads: [pullOf(2)],
        retailers: [
          { last, count: 3 },
          { last: pullOf(2), count: 1 },
        ],
        addresses: new Map([
          [1, last],
          [2, pullOf(2)],
        ]),
        refused: [],
      },
    ])
  })

  it('of downloads with a session belong to no address', async () => {
    const ledger = openLedger()
    ledger.add({ ...pullOf(1), addressId: null })
    await ledger.flush()
    expect(written).toMatchObject([{ retailers: [{ count: 1 }], addresses: new Map() }])
  })

  it('do not pile up without limit while they cannot be written', async () => {
    const ledger = openLedger()
    for (let index = 0; index < 10_100; index++) ledger.add(pullOf(index))
    ledger.add(pullOf(0))
    await ledger.flush()
    const [batch] = written
    expect([batch?.downloads.length, batch?.retailers.length]).toEqual([10_000, 10_000])
    expect(batch?.retailers[0]?.count).toBe(2)
  })

  it('are reported when they cannot be written, and the next ones are', async () => {
    let isBroken = true
    const ledger = openLedger(async (batch) => {
      if (isBroken) throw new Error('The disk is full')
      written.push(batch)
    })
    ledger.add(pullOf(1))
    await ledger.flush()
    expect([errors, written]).toEqual([[new Error('The disk is full')], []])
    isBroken = false
    ledger.add(pullOf(2))
    await ledger.flush()
    expect(written.map(({ downloads }) => downloads)).toEqual([[pullOf(2)]])
  })

  it('are written in order, one batch after the other', async () => {
    const steps: string[] = []
    const ledger = openLedger(async ({ retailers: [first] }) => {
      steps.push(`begin ${first?.last.retailerId}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
      steps.push(`end ${first?.last.retailerId}`)
    })
    ledger.add(pullOf(1))
    const first = ledger.flush()
    ledger.add(pullOf(2))
    const second = ledger.flush()
    await vi.advanceTimersByTimeAsync(20)
    await Promise.all([first, second])
    expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2'])
  })
})
