import type { DatabaseContent } from './database-content'

/** Copies all rows of the database while it is in use, for backups. */
export interface Snapshots {
  /** What a snapshot made now would take and name. */
  measure(signal: AbortSignal): Promise<Pick<DatabaseContent, 'sizeBytes' | 'files'>>
  /**
   * Writes the rows as they are at one instant into `target`, an empty file, as an SQLite database:
   * every backup holds one, whatever the rows came from. Readers and writers go on meanwhile.
   * @throws the reason of `signal`; nothing writes to `target` any more then
   */
  write(target: string, signal: AbortSignal): Promise<void>
}
