import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { LEASE_MS } from '../../../domain/lease'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { whileOnlyReader } from './mailbox-lease'

let deps: TestDeps
let stop: AbortController
let ended: Promise<void>[]
beforeEach(async () => {
  deps = await openTestDeps()
  stop = new AbortController()
  ended = []
})
afterEach(async () => {
  stop.abort()
  await Promise.all(ended)
  await deps.close()
})

const readers = () => [...reading].toSorted().join()
let reading = new Set<string>()
beforeEach(() => {
  reading = new Set()
})

/** One process that would read a mailbox. */
function start(name: string, mailbox = 'stock'): AbortController {
  const process = new AbortController()
  const signal = AbortSignal.any([process.signal, stop.signal])
  const read = async (leased: AbortSignal) => {
    reading.add(name)
    await new Promise((resolve) => leased.addEventListener('abort', resolve, { once: true }))
    reading.delete(name)
  }
  ended.push(whileOnlyReader(deps, mailbox, read, { signal, askEveryMs: 10 }))
  return process
}

it('lets one process read a mailbox, and another go on once that has ended', async () => {
  const first = start('first')
  await vi.waitUntil(() => readers() === 'first')
  start('second')
  start('other', 'elsewhere')
  await vi.waitUntil(() => readers() === 'first,other')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readers()).toBe('first,other')
  first.abort()
  await vi.waitUntil(() => readers() === 'other,second')
})

it('goes on in the place of a process that has died', async () => {
  const lease = { mailbox: 'x', leaseToken: 'dead', leaseUntil: deps.clock.now() + LEASE_MS }
  const name = await nameOf('stock')
  await deps.db
    .insertInto('mailboxLeases')
    .values({ ...lease, mailbox: name })
    .execute()
  start('next')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(readers()).toBe('')
  deps.clock.advance(LEASE_MS)
  await vi.waitUntil(() => readers() === 'next')
})

/** By which a mailbox is known. */
async function nameOf(mailbox: string): Promise<string> {
  const once = new AbortController()
  let found = ''
  const read = async () => {
    const rows = await deps.db.selectFrom('mailboxLeases').selectAll().execute()
    found = rows[0]?.mailbox ?? ''
    once.abort()
  }
  await whileOnlyReader(deps, mailbox, read, { signal: once.signal })
  return found
}
