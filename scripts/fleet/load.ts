import { setTimeout as sleep } from 'node:timers/promises'

import { startFeedServer } from '../../src/server/testing/feed-server'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import type { Cleanups } from '../bench/cleanups'
import { create, openPeople } from '../bench/people'

const READERS = 4
const READ_EVERY_MS = 100
const WRITE_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 15_000
const ITEMS = 2_000

/** What readers have received in a time. */
type Reads = {
  whole: number
  failed: number
  /** The longest time without a whole file, for any reader. */
  longestGapMs: number
}

/** A supplier whose file changes all the time, and shops that read it all the time. */
export type Load = {
  /** What has been read since this was last asked. */
  takeReads(): Reads
  /** The number in the last file that the source has; each has a higher one. */
  lastSent(): number
  /** The highest number that a shop has received. */
  lastReceived(): number
  /** What is wrong with what was received or confirmed; empty if nothing is. */
  stop(): Promise<string[]>
}

const toFile = (number: number) =>
  `sku,quantity\n${Array.from({ length: ITEMS }, (_, item) => `SKU-${item},${number}`).join('\n')}\n`

/**
 * Begins to load a fleet.
 * @param url of its load balancer
 */
export async function startLoad(url: string, cleanups: Cleanups): Promise<Load> {
  const source = await startFeedServer()
  cleanups.add(() => source.close())
  let sent = 1
  let received = 0
  source.set('/stock.csv', { body: toFile(sent) })
  const people = await openPeople(url)
  const supplier = await people.addSupplier('northbeck', source.url('/stock.csv'))
  const shop = await people.addRetailer(supplier, 'summit')
  const path = `/api/retailers/${shop.id}/feed-addresses`
  const { path: feed } = await create<NewFeedAddress>(shop.rest, path, {})
  const problems = new Set<string>()
  let confirmed = 0
  const end = new AbortController()
  let reads: Reads = { whole: 0, failed: 0, longestGapMs: 0 }

  async function readOnce(highest: number): Promise<number | undefined> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`${url}${feed}`, { signal }).catch(() => undefined)
    const text = answer?.ok ? await answer.text().catch(() => undefined) : undefined
    if (text === undefined) return undefined
    const number = Number(/,(\d+)\n/.exec(text)?.[1])
    if (text !== toFile(number)) problems.add('A shop received a file that was never published')
    if (number < highest) problems.add('A shop received an older file than before')
    return number
  }

  async function read(): Promise<void> {
    let highest = 0
    let readAt = performance.now()
    while (!end.signal.aborted) {
      const number = await readOnce(highest)
      reads.longestGapMs = Math.max(reads.longestGapMs, performance.now() - readAt)
      if (number === undefined) reads.failed += 1
      else {
        reads.whole += 1
        readAt = performance.now()
        highest = Math.max(highest, number)
        received = Math.max(received, number)
      }
      await sleep(READ_EVERY_MS)
    }
  }

  /** Changes the source and a row; what is confirmed must stay. */
  async function write(): Promise<void> {
    while (!end.signal.aborted) {
      sent += 1
      source.set('/stock.csv', { body: toFile(sent) })
      const ask = (method: string, address: string, body: object) =>
        supplier.rest.send(method, address, body).catch(() => undefined)
      // A connection that is resumed is due at once, however often.
      const connection = `/api/connections/${supplier.connectionId}`
      await ask('PATCH', connection, { isActive: false })
      await ask('PATCH', connection, { isActive: true })
      const number = sent
      const answer = await ask('PATCH', `/api/retailers/${shop.id}/store-info`, {
        storeName: `Shop ${number}`,
      })
      if (answer?.status === 200) confirmed = number
      await sleep(WRITE_EVERY_MS)
    }
  }

  const running = [write(), ...Array.from({ length: READERS }, read)]
  return {
    takeReads() {
      const taken = reads
      reads = { whole: 0, failed: 0, longestGapMs: 0 }
      return taken
    },
    lastSent: () => sent,
    lastReceived: () => received,
    async stop() {
      end.abort()
      await Promise.all(running)
      const { body } = await shop.rest.send('GET', '/api/retailers')
      const [{ storeName }] = body as [{ storeName: string }]
      if (Number(storeName.replace('Shop ', '')) < confirmed) {
        problems.add(`The change ${confirmed} was confirmed, and ${storeName} is stored`)
      }
      return [...problems]
    },
  }
}
