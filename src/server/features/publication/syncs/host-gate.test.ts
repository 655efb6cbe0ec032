import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { overlayInput } from '../../../../shared/schemas/overlay'
import type { HostGate } from '../../../files/fetch/host-gate'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateConnection } from '../../catalogue/connections/connections'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import { COUNTED_MS, createHostGate } from './host-gate'

const HOST = 'shop.example'
const { signal } = new AbortController()

let deps: TestDeps
/** Two gates on one database, as two processes have them. */
let gates: [HostGate, HostGate]

beforeEach(async () => {
  deps = await openTestDeps()
  gates = [createHostGate(deps.db, deps.clock), createHostGate(deps.db, deps.clock)]
})
afterEach(() => deps.close())

const countRows = async () =>
  (await deps.db.selectFrom('hostRequests').select('id').execute()).length

/** Starts to enter and returns without waiting. */
function enterLater(gate: HostGate, waiting: AbortSignal = signal) {
  const entry = { hasEntered: false, leave: async () => {} }
  const enter = async () => {
    const leave = await gate.enter(HOST, waiting)
    entry.hasEntered = true
    entry.leave = async () => leave()
  }
  return { entry, entering: enter() }
}

describe('the host gate', () => {
  it('admits two requests to a host at once, from all processes together', async () => {
    const leave = await gates[0].enter(HOST, signal)
    await gates[1].enter(HOST, signal)
    const { entry, entering } = enterLater(gates[1])
    await gates[1].enter('other.example', signal)
    expect([entry.hasEntered, await countRows()]).toEqual([false, 3])
    leave()
    await entering
    expect(await countRows()).toBe(3)
  })

  it('no longer counts a request after 30 seconds', async () => {
    await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const { entry, entering } = enterLater(gates[1])
    deps.clock.advance(COUNTED_MS - 1)
    expect(entry.hasEntered).toBe(false)
    deps.clock.advance(1)
    await entering
    expect(await countRows()).toBe(1)
  })

  it('counts requests of a process whose clock is ahead', async () => {
    const behind = createHostGate(deps.db, { now: () => deps.clock.now() - 1000 })
    const leave = await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const { entry, entering } = enterLater(behind)
    await behind.enter('other.example', signal)
    expect([entry.hasEntered, await countRows()]).toEqual([false, 3])
    leave()
    await entering
  })

  it('does not count requests from the future, after the clock was set back', async () => {
    await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    deps.clock.advance(-60_000)
    await gates[1].enter(HOST, signal)
    expect(await countRows()).toBe(1)
  })

  it('admits requests of one process in order of arrival', async () => {
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

  it('admits the next waiting request when one before it is aborted', async () => {
    const leave = await gates[0].enter(HOST, signal)
    await gates[0].enter(HOST, signal)
    const abort = new AbortController()
    const first = enterLater(gates[0], abort.signal)
    const second = enterLater(gates[0])
    abort.abort(new Error('aborted'))
    await expect(first.entering).rejects.toThrow('aborted')
    leave()
    await second.entering
    expect(await countRows()).toBe(2)
  })

  it('ignores leaving a second time', async () => {
    const leave = await gates[0].enter(HOST, signal)
    leave()
    leave()
    await expect.poll(countRows).toBe(0)
  })
})

describe('a sync whose host already has two requests', () => {
  it.each([
    ['of its source', HOST, 'other.example'],
    ['of its overlay', 'other.example', HOST],
  ])('is not claimed, although a slot is free: the host %s', async (_, source, overlay) => {
    const supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, `http://${source}/feed.csv`)
    // It must not be claimed before its hosts are busy.
    const quiet = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    await updateConnection(quiet, supplier, {
      id,
      overlay: overlayInput.parse({ url: `http://${overlay}/stock.csv` }),
    })
    await gates[1].enter(HOST, signal)
    await gates[1].enter(HOST, signal)
    const claimed = async () => {
      await claimDueWork(quiet)
      return deps.db.selectFrom('connections').select('id').where('leaseUntil', '>', 0).execute()
    }
    expect(await claimed()).toEqual([])
    deps.clock.advance(COUNTED_MS)
    expect(await claimed()).toHaveLength(1)
  })
})
