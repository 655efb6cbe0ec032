import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { HostGate } from '../../feed/fetch/host-gate'
import { createSupplierConnection, createSupplierUser } from '../../testing/factories'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import { claimDueWork } from '../scheduling/claim-due-work'
import { COUNTED_MS, createHostGate } from './host-gate'

const HOST = 'shop.example'
const { signal } = new AbortController()

let deps: TestDeps
/** Each as another process has it. */
let gates: [HostGate, HostGate]

beforeEach(async () => {
  deps = await openTestDeps()
  gates = [createHostGate(deps.db, deps.clock), createHostGate(deps.db, deps.clock)]
})
afterEach(() => deps.close())

const countRows = async () =>
  (await deps.db.selectFrom('hostRequests').select('id').execute()).length

/** Enters without waiting for the turn. */
function enterLater(gate: HostGate, waiting: AbortSignal = signal) {
  const entry = { hasEntered: false, leave: async () => {} }
  const enter = async () => {
    const leave = await gate.enter(HOST, waiting)
    entry.hasEntered = true
    entry.leave = async () => leave()
  }
  return { entry, entering: enter() }
}

describe('the gate of a host', () => {
  it('lets two requests in at once, of all processes together', async () => {
    const leave = await gates[0].enter(HOST, signal)
    await gates[1].enter(HOST, signal)
    const { entry, entering } = enterLater(gates[1])
    await gates[1].enter('other.example', signal)
    expect([entry.hasEntered, await countRows()]).toEqual([false, 3])
    leave()
    await entering
    expect(await countRows()).toBe(3)
  })

  it('counts a request no longer that has run for 30 seconds', async () => {
    await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const { entry, entering } = enterLater(gates[1])
    deps.clock.advance(COUNTED_MS - 1)
    expect(entry.hasEntered).toBe(false)
    deps.clock.advance(1)
    await entering
    expect(await countRows()).toBe(1)
  })

  it('counts no request of a clock that was ahead', async () => {
    await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    deps.clock.advance(-60_000)
    await gates[1].enter(HOST, signal)
    expect(await countRows()).toBe(1)
  })

  it('lets those of a process in by their order of arrival', async () => {
    const leave = await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const first = enterLater(gates[0])
    const second = enterLater(gates[0])
    leave()
    await first.entering
    expect(second.entry.hasEntered).toBe(false)
    await first.entry.leave()
    await second.entering
  })

  it('lets those behind go on when one that waits gives up', async () => {
    const leave = await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const abort = new AbortController()
    const first = enterLater(gates[0], abort.signal)
    const second = enterLater(gates[0])
    abort.abort(new Error('enough'))
    await expect(first.entering).rejects.toThrow('enough')
    leave()
    await second.entering
    expect(await countRows()).toBe(2)
  })

  it('may be left twice', async () => {
    const leave = await gates[0].enter(HOST, signal)
    leave()
    leave()
    await expect.poll(countRows).toBe(0)
  })
})

describe('a sync whose host has two requests already', () => {
  it('is left for later, although its slot is free', async () => {
    const supplier = await createSupplierUser(deps)
    await createSupplierConnection(deps, supplier, `http://${HOST}/feed.csv`)
    await gates[1].enter(HOST, signal)
    await gates[1].enter(HOST, signal)
    const claimed = async () => {
      await claimDueWork({ ...deps, queue: { ...deps.queue, add: async () => undefined } })
      return deps.db.selectFrom('connections').select('id').where('leaseUntil', '>', 0).execute()
    }
    expect(await claimed()).toEqual([])
    deps.clock.advance(COUNTED_MS)
    expect(await claimed()).toHaveLength(1)
  })
})
