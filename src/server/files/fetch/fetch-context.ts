import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import type { GuardOptions, Lookup } from './address-guard'
import type { FetchAllow } from './address-rules'
import type { EgressProxy } from './egress-proxy'
import type { FetchedContent } from './fetched-content'
import type { FileServerAccess } from './file-server'
import type { HostGate } from './host-gate'
import type { MinimumSpeed } from './minimum-speed'
import type { TimedName } from './newest-file'
import type { Tidying } from './tidying'

/** The request header that authenticates us at the source. */
export interface SourceCredentials {
  name: string
  value: string
}

export interface FetchRequest {
  url: string
  /** Sent to the origin of `url` only, and no more once a redirect has left that origin. */
  credentials?: SourceCredentials | undefined
  /** For a server of SFTP or FTP. */
  server?: FileServerAccess | undefined
  /** Whether a file that may still be written, as the server tells, is waited for; otherwise it is read as it is. */
  isAwaited?: boolean
  /** Whether it is no fault that there is no file: what was read before was moved or deleted. */
  mayBeGone?: boolean
  /** Of several files that fit, those are not looked at that are older than this one, which was read last. */
  notBefore?: TimedName | undefined
  /** Instead of being read, a file that was read is moved or deleted; the response is `unchanged`. */
  tidying?: Tidying | undefined
  /** Validators of the last response, sent back unchanged. */
  etag?: string | null
  lastModified?: string | null
  /** Whether `url` is of a file in a bucket: it redirects nowhere, and errors are told in S3's way. */
  isS3?: boolean
  /** Limits requests per host; without it they are not limited. */
  hosts?: HostGate | undefined
  /** The host that has been entered for the first request, by whoever leaves it. */
  enteredHost?: string | undefined
  /** Aborts the request, and the transfer of its body. */
  signal: AbortSignal
}

export type FetchResponse = { kind: 'unchanged' } | FetchedContent

export interface FetchTimeouts extends MinimumSpeed {
  /** For the name lookup and the connection, TLS included, of each hop. */
  connectMs: number
  /** For connecting and the response headers of each hop; for each answer of a server of SFTP or FTP. */
  headersMs: number
  /** For all hops and the body. */
  totalMs: number
  /** A file that was changed less than this ago may still be written. */
  youngMs: number
  /** How long its size and time must then stand. */
  settleMs: number
  /** Until when they must. */
  settleWithinMs: number
}

/** What all fetches of a process share. */
export interface FetchContext {
  allow: FetchAllow
  lookup: Lookup | undefined
  ca: string | undefined
  proxy: EgressProxy | undefined
  maxBytes: number
  timeouts: FetchTimeouts
  /** Unix milliseconds. */
  now: () => number
}

/** What one fetch holds: a connection, timers and a slot at a host. */
export interface FetchResources {
  /** Closes the connection; fires no later than `release` is called. */
  signal: AbortSignal
  /** Releases the previous hop's host first, so that two redirect chains cannot deadlock. */
  acquireHost(host: string): Promise<void>
  /** May be called more than once. */
  release(): void
}

/** Fetches from addresses of one scheme. @throws FileError */
export type FetchFromScheme = (
  request: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
) => Promise<FetchResponse>

/** What a connection is opened with. */
export const toGuard = (
  { allow, lookup, ca, proxy, timeouts }: FetchContext,
  signal: AbortSignal,
): GuardOptions => ({
  allow,
  lookup,
  ca,
  proxy,
  connectTimeoutMs: timeouts.connectMs,
  signal,
})

/** Waits for an answer of a server, but not longer than `headersMs`. @throws FileError `answer-timeout` */
export async function waitForAnswer<T>(
  { timeouts }: FetchContext,
  { signal: parent }: Pick<FetchResources, 'signal'>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, clear } = startDeadline(timeouts.headersMs, answerTimeout, parent)
  try {
    return await waitUnlessAborted(ask(signal), signal)
  } finally {
    clear()
  }
}

function answerTimeout(): FileError {
  return new FileError('answer-timeout', 'The server did not answer in time.')
}
