import type { DatabaseContent, NamedFile } from './database-content'

/** Copies all rows of the database while it is in use, for backups. */
export interface Snapshots {
  /** The size of a snapshot made now, but for a few pages, and of the files that its rows refer to. */
  measure(
    signal: AbortSignal,
  ): Promise<Pick<DatabaseContent, 'sizeBytes' | 'fileCount' | 'fileBytes'>>
  /** The files that the rows refer to. */
  listFiles(signal: AbortSignal): Promise<NamedFile[]>
  /**
   * Writes all rows, as they are at one instant, to `target`, an empty file. The result is always an
   * SQLite database, whichever database the rows come from. Does not block readers or writers.
   * @throws the reason of `signal`; nothing writes to `target` after that
   */
  write(target: string, signal: AbortSignal): Promise<void>
}
