import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createPullLedger, type Pull, type PullBatch } from './pull-ledger'

const pull: Pull = {
  retailerId: 1,
  pulledAt: 1,
  versionId: 1,
  variantId: null,
  fileName: 'a.csv',
  dataAsOf: 1,
  rowCount: 1,
  sizeBytes: 1,
  client: 'curl',
}
const use = (addressId: number, usedAt: number) => ({ addressId, usedAt, client: 'curl' })

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

describe('records of downloads', () => {
  it('are written together, within seconds', async () => {
    const ledger = openLedger()
    ledger.addPull(pull)
    ledger.addPull({ ...pull, retailerId: 2 })
    ledger.addUse(use(7, 1))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(written).toEqual([{ pulls: [pull, { ...pull, retailerId: 2 }], uses: [use(7, 1)] }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(written).toHaveLength(1)
  })

  it('keep only the last use of an address', async () => {
    const ledger = openLedger()
    for (const usedAt of [1, 2, 3]) ledger.addUse(use(7, usedAt))
    await ledger.flush()
    expect(written).toEqual([{ pulls: [], uses: [use(7, 3)] }])
  })

  it('do not pile up without limit while they cannot be written', async () => {
    const ledger = openLedger()
    for (let index = 0; index < 10_100; index++) {
      ledger.addPull(pull)
      ledger.addUse(use(index, 1))
    }
    ledger.addUse(use(0, 2))
    await ledger.flush()
    expect([written[0]?.pulls.length, written[0]?.uses.length]).toEqual([10_000, 10_000])
    expect(written[0]?.uses[0]).toEqual(use(0, 2))
  })

  it('are reported when they cannot be written, and the next ones are', async () => {
    let isBroken = true
    const ledger = openLedger(async (batch) => {
      if (isBroken) throw new Error('The disk is full')
      written.push(batch)
    })
    ledger.addPull(pull)
    await ledger.flush()
    expect([errors, written]).toEqual([[new Error('The disk is full')], []])
    isBroken = false
    ledger.addPull(pull)
    await ledger.flush()
    expect(written).toEqual([{ pulls: [pull], uses: [] }])
  })

  it('are written in order, one batch after the other', async () => {
    const steps: string[] = []
    const ledger = openLedger(async ({ pulls: [{ fileName } = pull] }) => {
      steps.push(`begin ${fileName}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
      steps.push(`end ${fileName}`)
    })
    ledger.addPull({ ...pull, fileName: 'a' })
    const first = ledger.flush()
    ledger.addPull({ ...pull, fileName: 'b' })
    const second = ledger.flush()
    await vi.advanceTimersByTimeAsync(20)
    await Promise.all([first, second])
    expect(steps).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  })
})
