import type { FetchContext, FetchResources, FetchTimeouts } from '../fetch/fetch-context'
import type { SendRequest } from './send-request'
import type { SentBody } from './sending'

export interface SendTimeouts extends FetchTimeouts {
  /** How long a web server may think about whether it takes the file at all; then it is sent. */
  continueMs: number
  /** For what a server says once it has all of the file, part of which may still be on its way. */
  acceptMs: number
  /** Slower than this on average, a file is given up: the time beyond `totalMs` for its size. */
  wholeBytesPerSecond: number
  /** For removing what has been written of a file that failed. */
  cleanUpMs: number
}

/** What all sendings of a process share. */
export interface SendContext extends FetchContext {
  timeouts: SendTimeouts
}

/** Sends to addresses of one scheme. @throws FileError */
export type SendToScheme = (
  request: SendRequest,
  body: SentBody,
  context: SendContext,
  resources: FetchResources,
) => Promise<{ text: string }>
