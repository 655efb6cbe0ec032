// Copies what is in the write-ahead log of a database into its file whenever it is told to, as a thread. In
// JavaScript, because Node starts it from the sources as well.
import { parentPort, workerData } from 'node:worker_threads'

import BetterSqlite3 from 'better-sqlite3'

const sqlite = new BetterSqlite3(workerData, { fileMustExist: true, timeout: 0 })
sqlite.pragma('synchronous = NORMAL')

parentPort?.on('message', (message) => {
  if (message === 'close') {
    sqlite.close()
    parentPort?.close()
    return
  }
  try {
    // Waits for nobody: what is read or written at the moment is left for the next time.
    sqlite.pragma('wal_checkpoint(passive)')
  } catch {
    // A full or broken disk: the log keeps what it has, and whoever writes to it is told.
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage('done')
})
