import type { RefusedRead } from '../feed-addresses/feed-addresses.queries'

/** How long a record waits: at most this much is lost when the process is killed. */
const WRITE_AFTER_MS = 2_000
/** Records that may wait, in a few megabytes; more than a full disk could take anyway. */
const MAX_WAITING = 10_000

/** A read of a retailer's file by the retailer or its shop. Times in Unix milliseconds. */
export type Pull = {
  retailerId: number
  versionId: number
  /** The feed address that was read; null for a download with a session. */
  addressId: number | null
  pulledAt: number
  /** The family of the browser or program. */
  client: string
  /** The file that was sent; null when the reader had it already. */
  sent: SentFile | null
}

type SentFile = {
  /** null for the whole version. */
  variantId: number | null
  fileName: string
  dataAsOf: number
  rowCount: number
  sizeBytes: number
}

/** A pull whose file was sent. */
export type Download = Pull & { sent: SentFile }

export type PullBatch = {
  downloads: Download[]
  /** The last pull of each retailer, and how many there were. */
  retailers: { last: Pull; count: number }[]
  /** The last pull from each feed address. */
  addresses: Map<number, Pull>
  /** The last read of each feed address that was refused. */
  refused: RefusedRead[]
}

export type PullLedger = ReturnType<typeof createPullLedger>

/**
 * Collects records of pulls in memory, so that no download waits for the disk.
 * @param write stores a batch
 * @param onError gets what `write` throws; the batch is lost then
 */
export function createPullLedger(
  write: (batch: PullBatch) => Promise<void>,
  onError: (error: unknown) => void,
  writeAfterMs = WRITE_AFTER_MS,
) {
  let downloads: Download[] = []
  let retailers = new Map<number, { last: Pull; count: number }>()
  let addresses = new Map<number, Pull>()
  let refused = new Map<number, RefusedRead>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  /** Writes what is waiting. Never rejects. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (retailers.size === 0 && refused.size === 0) return writing
    const read = { downloads, retailers: [...retailers.values()], addresses }
    const batch = { ...read, refused: [...refused.values()] }
    downloads = []
    refused = new Map()
    retailers = new Map()
    addresses = new Map()
    writing = writing.then(() => write(batch)).catch(onError)
    return writing
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), writeAfterMs).unref()
  }

  return {
    add(pull: Pull): void {
      const { retailerId, addressId, sent } = pull
      const known = retailers.get(retailerId)
      if (!known && retailers.size >= MAX_WAITING) return
      retailers.set(retailerId, { last: pull, count: (known?.count ?? 0) + 1 })
      if (addressId !== null) addresses.set(addressId, pull)
      if (sent && downloads.length < MAX_WAITING) downloads.push({ ...pull, sent })
      schedule()
    },
    refuse(read: RefusedRead): void {
      if (refused.has(read.id) || refused.size < MAX_WAITING) refused.set(read.id, read)
      schedule()
    },
    flush,
  }
}
