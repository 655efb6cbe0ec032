import { MINUTE_MS, SECOND_MS } from '../../../shared/durations'
import { FileError } from '../file-error'
import type { Lookup } from './address-guard'
import { parseFetchAllow } from './address-rules'
import type { EgressProxy } from './egress-proxy'
import type { FetchContext, FetchRequest, FetchResponse, FetchTimeouts } from './fetch-context'
import { acquireResources, showMinutes } from './resources'
import { findFetch } from './schemes'
import { openUntilClosed } from './until-closed'

export interface FileFetcher {
  /** @throws FileError, or the signal's reason */
  fetch(request: FetchRequest): Promise<FetchResponse>
  /** Aborts all running requests. */
  close(): Promise<void>
}

const TIMEOUTS: FetchTimeouts = {
  connectMs: 5_000,
  headersMs: 15_000,
  idleMs: 15_000,
  slowWindowMs: MINUTE_MS,
  minBytesPerSecond: 1_024,
  totalMs: 30 * MINUTE_MS,
  youngMs: MINUTE_MS,
  settleMs: 30 * SECOND_MS,
  settleWithinMs: 3 * MINUTE_MS,
}

export interface FileFetcherOptions {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** The maximum size of a file, decompressed. */
  maxBytes: number
  /** Replaces the system's name lookup. */
  lookup?: Lookup
  /** Certificates to trust instead of Node's default ones, in PEM. */
  ca?: string
  /** Through which public addresses are reached. */
  proxy?: EgressProxy | undefined
  timeouts?: Partial<FetchTimeouts>
  /** Unix milliseconds: dates in `Retry-After`, and times of files, are told by it. */
  now: () => number
}

/**
 * Fetches files, each in the way of its address; every connection is checked, and waits for its host's gate.
 * @throws Error when an entry of `allow` is invalid
 */
export function createFileFetcher(options: FileFetcherOptions): FileFetcher {
  const { signal: closing, track, close } = openUntilClosed()
  const context: FetchContext = {
    allow: parseFetchAllow(options.allow),
    lookup: options.lookup,
    ca: options.ca,
    proxy: options.proxy,
    maxBytes: options.maxBytes,
    timeouts: { ...TIMEOUTS, ...options.timeouts },
    now: options.now,
  }
  return { fetch: (request) => track(fetchFile(request, context, closing)), close }
}

function tookTooLong(totalMs: number): FileError {
  const time = showMinutes(totalMs)
  return new FileError('took-too-long', `The file did not arrive within ${time}.`)
}

async function fetchFile(
  request: FetchRequest,
  context: FetchContext,
  closing: AbortSignal,
): Promise<FetchResponse> {
  request.signal.throwIfAborted()
  const { totalMs } = context.timeouts
  const limits = { totalMs, timeout: () => tookTooLong(totalMs), closing }
  const resources = acquireResources(request, limits)
  try {
    const response = await findFetch(request.url)(request, context, resources)
    if (response.kind === 'unchanged') resources.release()
    return response
  } catch (error) {
    const reason: unknown = resources.signal.aborted ? resources.signal.reason : error
    resources.release()
    throw reason
  }
}
