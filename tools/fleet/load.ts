import { setTimeout as sleep } from 'node:timers/promises'

import type { RestClient } from '../../src/e2e/support/rest-client'
import {
  startSourceServer,
  type SourceServer,
} from '../../src/server/testing/servers/source-server'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import type { FileListing } from '../../src/shared/schemas/file'
import type { Cleanups } from '../bench/cleanups'
import { create, openPeople, type SignedInRetailer, type Supplier } from '../bench/people'

const CONNECTIONS = 10
const READERS = 200
const READ_EVERY_MS = 2_000
/** All connections together: fifty a minute. */
const PUBLISH_EVERY_MS = 1_200
const ANSWER_WITHIN_MS = 15_000
const ITEMS = 2_000

/** What readers have received in a time. */
type Reads = {
  whole: number
  failed: number
  /** The longest time in which no reader received a whole file. */
  longestGapMs: number
}

/** Suppliers whose files change all the time, and shops that read them all the time. */
export type Load = {
  /** What has been read since this was last asked. */
  takeReads(): Reads
  /** The number in the last file that any source has; each has a higher one. */
  lastSent(): number
  /** The highest number that a shop has received. */
  lastReceived(): number
  /** What is wrong with what was received, confirmed or published; empty if nothing is. */
  stop(): Promise<string[]>
}

/** A supplier's connection, with a shop that reads its file. */
type Line = {
  supplier: Supplier
  shop: SignedInRetailer
  path: string
  feed: string
  /** The highest number whose change of a row was confirmed. */
  confirmed: number
}

const toFile = (number: number) =>
  `sku,quantity\n${Array.from({ length: ITEMS }, (_, item) => `SKU-${item},${number}`).join('\n')}\n`
const readNumber = (text: string) => Number(/,(\d+)\n/.exec(text)?.[1])

/**
 * Begins to load a fleet.
 * @param url of its load balancer
 */
export async function startLoad(url: string, cleanups: Cleanups): Promise<Load> {
  const source = await startSourceServer()
  cleanups.add(() => source.close())
  const lines = await addLines(url, source)
  const problems = new Set<string>()
  const end = new AbortController()
  let sent = 1
  let received = 0
  let readAt = performance.now()
  let reads: Reads = { whole: 0, failed: 0, longestGapMs: 0 }

  function noteGap(): void {
    reads.longestGapMs = Math.max(reads.longestGapMs, performance.now() - readAt)
  }

  function noteRead(text: string | undefined, highest: number): number {
    noteGap()
    if (text === undefined) {
      reads.failed += 1
      return highest
    }
    reads.whole += 1
    readAt = performance.now()
    const number = readNumber(text)
    if (text !== toFile(number)) problems.add('A shop received a file that no source has had')
    if (number < highest) problems.add('A shop received an older file than before')
    received = Math.max(received, number)
    return Math.max(highest, number)
  }

  async function read({ feed }: Line): Promise<void> {
    let highest = 0
    await sleep(Math.random() * READ_EVERY_MS)
    while (!end.signal.aborted) {
      highest = noteRead(await fetchText(`${url}${feed}`), highest)
      await sleep(READ_EVERY_MS)
    }
  }

  /** Changes a source and a row in turn; what is confirmed must stay. */
  async function write(): Promise<void> {
    while (!end.signal.aborted) {
      for (const line of lines) {
        sent += 1
        source.set(line.path, { body: toFile(sent) })
        const isConfirmed = await publish(line, sent)
        if (isConfirmed) line.confirmed = sent
        await sleep(PUBLISH_EVERY_MS)
      }
    }
  }

  const readers = Array.from({ length: READERS }, (_, index) => lines[index % CONNECTIONS])
  const running = [write(), ...readers.map(async (line) => line && read(line))]
  return {
    takeReads() {
      noteGap()
      const taken = reads
      reads = { whole: 0, failed: 0, longestGapMs: 0 }
      return taken
    },
    lastSent: () => sent,
    lastReceived: () => received,
    async stop() {
      end.abort()
      await Promise.all(running)
      for (const line of lines) {
        for (const problem of await findLosses(line)) problems.add(problem)
      }
      return [...problems]
    },
  }
}

async function addLines(url: string, source: SourceServer): Promise<Line[]> {
  const people = await openPeople(url)
  const lines: Line[] = []
  for (let number = 1; number <= CONNECTIONS; number++) {
    const path = `/stock-${number}.csv`
    source.set(path, { body: toFile(1) })
    const supplier = await people.addSupplier(`load-${number}`, source.url(path))
    const shop = await people.addRetailer(supplier, `load-shop-${number}`)
    const addresses = `/api/retailers/${shop.id}/feed-addresses`
    const { path: feed } = await create<NewFeedAddress>(shop.rest, addresses, {})
    lines.push({ supplier, shop, path, feed, confirmed: 0 })
  }
  return lines
}

/** Returns undefined when there was no whole answer. */
async function fetchText(address: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const answer = await fetch(address, { signal }).catch(() => undefined)
  return answer?.ok ? answer.text().catch(() => undefined) : undefined
}

/** Syncs a connection now. @returns whether a change of a row was confirmed */
async function publish({ supplier, shop }: Line, number: number): Promise<boolean> {
  const { rest, connectionId } = supplier
  const ask = (path: string, body: object) =>
    rest.send('PATCH', path, body).catch(() => ({ status: 0 }))
  // A connection that is resumed is due at once, however often.
  for (const isActive of [false, true]) await ask(`/api/connections/${connectionId}`, { isActive })
  const storeName = `Shop ${number}`
  return (await ask(`/api/retailers/${shop.id}/store-info`, { storeName })).status === 200
}

/** Finds changes that were confirmed and are gone, and files that were published twice. */
async function findLosses({ supplier, shop, confirmed }: Line): Promise<string[]> {
  const [{ storeName }] = (await shop.rest.send('GET', '/api/retailers')).body as [
    { storeName: string },
  ]
  const isLost = Number(storeName.replace('Shop ', '')) < confirmed
  const numbers = await readPublished(supplier.rest, supplier.connectionId)
  const isDoubled = new Set(numbers).size < numbers.length
  return [
    ...(isLost ? [`The change ${confirmed} was confirmed, and ${storeName} is stored`] : []),
    ...(isDoubled ? ['A file was published twice'] : []),
  ]
}

/** The numbers in all stored files of a connection. */
async function readPublished(rest: RestClient, connectionId: number): Promise<number[]> {
  const path = `/api/connections/${connectionId}/files`
  const { files } = (await rest.send('GET', path)).body as FileListing
  const texts = []
  for (const { fileName } of files) texts.push((await rest.send('GET', `${path}/${fileName}`)).text)
  return texts.map(readNumber)
}
