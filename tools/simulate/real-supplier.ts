import { createFeedAddress } from '../../src/server/features/distribution/feed-addresses/feed-addresses'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../src/server/testing/fixtures/factories'
import { startSourceServer } from '../../src/server/testing/servers/source-server'
import { cleanUp } from '../../src/server/testing/stages/clean-up'
import { openTestApp } from '../../src/server/testing/stages/test-app'

const ITEMS = 240
const PATH = '/feed.csv'

/** A file in which every row differs from that of any other number; copies of it are smaller. */
function toFile(number: number, views: number): string {
  const rows = Array.from({ length: ITEMS }, (_, item) => {
    const category = `C${item % Math.max(views, 1)}`
    return `sku-${String(item).padStart(6, '0')},${category},${100 + number}\r\n`
  })
  return `sku,category,quantity\r\n${rows.join('')}`
}

/** How the retailers of a supplier read. */
type Habits = {
  /** Retailers that see all rows, and those that see a category of their own each. */
  whole?: number
  filtered?: number
  acceptsCopies?: boolean
}

/** Opens the product with a supplier, whose retailers read the newest version over HTTP. */
export async function openRealSupplier({ whole = 0, filtered = 0, acceptsCopies = false }: Habits) {
  const source = await startSourceServer()
  // Files are on the disk also in runs of the tests that have a bucket.
  const config = { fetchAllow: [source.host], bucket: undefined }
  const { deps, client, close } = await openTestApp(config)
  const supplier = await createSupplierUser(deps, { maxRetailers: whole + filtered + 1 })
  await createSupplierConnection(deps, supplier, source.url(PATH))
  await removeGuards(deps)
  const addresses: string[] = []
  for (let place = 0; place < whole + filtered; place += 1) {
    const isWhole = place < whole
    const categories = isWhole ? [] : [`C${place - whole}`]
    const shop = await createLinkedRetailer(deps, supplier, { allProducts: isWhole, categories })
    addresses.push((await createFeedAddress(deps, shop.user, shop.id)).path)
  }
  await deps.db.updateTable('retailers').set({ syncFrequencyMinutes: 0 }).execute()
  return {
    deps,
    addresses,
    /** Lets the source have another content. */
    offer(number: number): void {
      source.set(PATH, { body: toFile(number, filtered), etag: `"${number}"` })
    },
    /** Reads a feed and waits for what that lets the product do; returns the ETag. */
    async read(address: string, etag?: string): Promise<string> {
      const { headers } = await client().request('GET', address, undefined, {
        'accept-encoding': acceptsCopies ? 'gzip' : 'identity',
        ...(etag !== undefined && { 'if-none-match': etag }),
      })
      await deps.pulls.flush()
      await deps.queue.idle()
      return String(headers.etag)
    },
    cleanUp: () => cleanUp(deps),
    async close() {
      await close()
      await source.close()
    },
  }
}
