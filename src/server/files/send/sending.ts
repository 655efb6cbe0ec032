import type { WebMethod } from '../../../shared/destinations'
import type { SourceCredentials } from '../fetch/fetch-context'
import type { FileServerAccess } from '../fetch/file-server'
import type { HostGate } from '../fetch/host-gate'
import type { S3Access } from '../presign-s3'

/** A file that is sent to an address that people have entered. */
export interface Sending {
  /**
   * A folder at a server of SFTP or FTP, or in a bucket; otherwise where it is sent, to which the name of the file is
   * added only after a slash.
   */
  address: string
  /** Its final name, under which it is never seen half. */
  fileName: string
  mediaType: string
  sizeBytes: number
  sha256: string
  /** Of a web address. */
  method: WebMethod
  /** The same for each attempt to send the same file. */
  idempotencyKey: string
  /** Whether it may have arrived before. */
  isRepeat: boolean
  /** Whether it is only a trial, and is taken away again where that is possible. */
  isTrial: boolean
  /** For a web address. */
  credentials?: SourceCredentials | undefined
  /** For a bucket. */
  s3?: S3Access | undefined
  /** For a server of SFTP or FTP. */
  server?: FileServerAccess | undefined
  /** Limits requests per host, of fetches too; without it they are not limited. */
  hosts?: HostGate | undefined
  signal: AbortSignal
}

export interface FileSender {
  /**
   * Sends a file, read as it is sent, and returns when the other side has all of it under its final name.
   * @param body its bytes, in pieces that do not change afterwards; called after the other side is ready for them, and
   * never if that is not so
   * @returns what was done and answered, in one line without secrets
   * @throws FileError, or the signal's reason
   */
  send(sending: Sending, body: SentBody): Promise<{ text: string }>
  /** Aborts all that is being sent. */
  close(): Promise<void>
}

export type SentBody = () => AsyncIterable<Buffer>
