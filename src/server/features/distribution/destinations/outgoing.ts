import type { DestinationRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { SentFile } from './sent-file'
import type { SentFileIds } from './sent-file.queries'

/** A file on its way to a destination. */
export type Outgoing = {
  of: SentFile
  destination: Pick<DestinationRow, keyof SentFileIds | 'name' | 'config' | 'recipients' | 'method'>
  file: {
    fileName: string
    mediaType: string
    sizeBytes: number
    sha256: string
    rowCount: number
    /** The name of the version's file. */
    versionName: string
  }
  /** null for a trial. */
  dispatchId: number | null
  idempotencyKey: string
  isRepeat: boolean
  /** Its bytes from the start, read as they are sent; by mail, called once for each person. */
  body: () => AsyncIterable<Buffer>
  signal: AbortSignal
}

/**
 * Sends a file in one way.
 * @returns what was done and answered, in one line without secrets
 * @throws FileError, or the signal's reason
 */
export type SendInOneWay = (deps: Deps, outgoing: Outgoing) => Promise<{ text: string }>
