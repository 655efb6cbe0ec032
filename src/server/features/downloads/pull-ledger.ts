/** How long a record waits: at most this much is lost when the process is killed. */
const WRITE_AFTER_MS = 2_000
/** Records that may wait, in a few megabytes; more than a full disk could take anyway. */
const MAX_WAITING = 10_000

/** A file of a retailer that has been sent. Times in Unix milliseconds. */
export type Pull = {
  retailerId: number
  pulledAt: number
  versionId: number
  /** null for the whole version. */
  variantId: number | null
  fileName: string
  dataAsOf: number
  rowCount: number
  sizeBytes: number
  /** The family of the browser or program. */
  client: string
}

/** A feed address that was used, also when its file had not changed. */
type FeedUse = { addressId: number; usedAt: number; client: string }

export type PullBatch = { pulls: Pull[]; uses: FeedUse[] }

/** Collects records of downloads in memory, so that no download waits for the disk. */
export type PullLedger = {
  addPull(pull: Pull): void
  addUse(use: FeedUse): void
  /** Writes what is waiting. Never rejects. */
  flush(): Promise<void>
}

/**
 * @param write stores a batch
 * @param onError gets what `write` throws; the batch is lost then
 */
export function createPullLedger(
  write: (batch: PullBatch) => Promise<void>,
  onError: (error: unknown) => void,
  writeAfterMs = WRITE_AFTER_MS,
): PullLedger {
  let pulls: Pull[] = []
  /** The last use of each address. */
  let uses = new Map<number, FeedUse>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = { pulls, uses: [...uses.values()] }
    pulls = []
    uses = new Map()
    if (batch.pulls.length + batch.uses.length > 0) {
      writing = writing.then(() => write(batch)).catch(onError)
    }
    return writing
  }

  const flushSoon = () => {
    timer ??= setTimeout(() => void flush(), writeAfterMs).unref()
  }

  return {
    addPull(pull) {
      if (pulls.length < MAX_WAITING) pulls.push(pull)
      flushSoon()
    },
    addUse(use) {
      if (uses.size < MAX_WAITING || uses.has(use.addressId)) uses.set(use.addressId, use)
      flushSoon()
    },
    flush,
  }
}
