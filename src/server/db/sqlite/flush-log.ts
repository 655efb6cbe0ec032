import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

import { shareRuns } from '../../concurrency/share-runs'
import { syncPath } from '../../process/sync-path'
import { system } from '../../process/system'

/** Makes what is committed durable. */
export type LogFlush = { flush(): Promise<void>; close(): Promise<void> }

/** What was committed may not be on the disk, which is full or broken. */
export class UnflushedLogError extends Error {}

/**
 * Flushes the write-ahead log of a database to the disk, in a thread of the pool: SQLite itself would
 * block the event loop, at each commit. All transactions that wait share one flush. Until then, others
 * see what is committed already.
 * @throws UnflushedLogError from `flush`
 * @param file the database, which must stay open: with its last connection the log disappears
 */
export function createLogFlush(file: string): LogFlush {
  let log: FileHandle | undefined
  const openLog = async () => {
    const handle = await open(`${file}-wal`, system.flushFlags)
    // Without this, a new file may not be found after a power failure.
    await syncPath(dirname(file))
    return (log = handle)
  }
  const flush = async () => {
    try {
      await (log ?? (await openLog())).datasync()
    } catch (cause) {
      throw new UnflushedLogError('The log of the database could not be flushed', { cause })
    }
  }
  return {
    flush: shareRuns(flush),
    close: async () => log?.close(),
  }
}
