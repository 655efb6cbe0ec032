import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

import { shareRuns } from '../../concurrency/share-runs'
import { syncPath } from '../../process/sync-path'
import { system } from '../../process/system'

/** Makes what is committed durable. */
export type LogFlush = { flush(): Promise<void>; close(): Promise<void> }

/**
 * Flushes the write-ahead log of a database to the disk, in a thread of the pool: SQLite itself would
 * block the event loop, at each commit. All transactions that wait share one flush. Until then, others
 * see what is committed already.
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
  return {
    flush: shareRuns(async () => (log ?? (await openLog())).datasync()),
    close: async () => log?.close(),
  }
}
