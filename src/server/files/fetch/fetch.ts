import { performance } from 'node:perf_hooks'
import { addAbortSignal } from 'node:stream'

import { MINUTE_MS } from '../../../shared/durations'
import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import { type Lookup, connectGuarded } from './address-guard'
import { type FetchAllow, checkUrl, parseFetchAllow, redirectRefused } from './address-rules'
import { describeTransferFailure } from './connect-failure'
import { type FetchedContent, openContent } from './fetched-content'
import type { HostGate } from './host-gate'
import { sendRequest } from './http-request'
import {
  type Access,
  type HttpResponse,
  REDIRECT_STATUSES,
  type FinalResponse,
  describeStatus,
  redirectTarget,
} from './http-response'
import type { MinimumSpeed } from './minimum-speed'
import { describeS3Refusal } from './s3-refusal'

/** The request header that authenticates us at the source. */
export interface SourceCredentials {
  name: string
  value: string
}

export interface FetchRequest {
  url: string
  /** Sent to the origin of `url` only, and no more once a redirect has left that origin. */
  credentials?: SourceCredentials | undefined
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

type FetchResponse = { kind: 'unchanged' } | FetchedContent

export interface FileFetcher {
  /** @throws FileError, or the signal's reason */
  fetch(request: FetchRequest): Promise<FetchResponse>
  /** Aborts all running requests. */
  close(): Promise<void>
}

export interface FetchTimeouts extends MinimumSpeed {
  /** For the name lookup and the connection, TLS included, of each hop. */
  connectMs: number
  /** For connecting and the response headers of each hop. */
  headersMs: number
  /** For all hops and the body. */
  totalMs: number
}

const TIMEOUTS: FetchTimeouts = {
  connectMs: 5_000,
  headersMs: 15_000,
  idleMs: 15_000,
  slowWindowMs: MINUTE_MS,
  minBytesPerSecond: 1_024,
  totalMs: 30 * MINUTE_MS,
}

const MAX_REDIRECTS = 5

export interface FileFetcherOptions {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  /** The maximum size of a file, decompressed. */
  maxBytes: number
  /** Replaces the system's name lookup. */
  lookup?: Lookup
  /** Certificates to trust instead of Node's default ones, in PEM. */
  ca?: string
  timeouts?: Partial<FetchTimeouts>
  /** Unix milliseconds, to read dates in `Retry-After`. */
  now: () => number
}

interface Context {
  allow: FetchAllow
  lookup: Lookup | undefined
  ca: string | undefined
  maxBytes: number
  timeouts: FetchTimeouts
  now: () => number
}

/**
 * Fetches files over HTTP and follows redirects; every hop is checked, and waits for its host's gate.
 * @throws Error when an entry of `allow` is invalid
 */
export function createFileFetcher(options: FileFetcherOptions): FileFetcher {
  const closing = new AbortController()
  const context: Context = {
    allow: parseFetchAllow(options.allow),
    lookup: options.lookup,
    ca: options.ca,
    maxBytes: options.maxBytes,
    timeouts: { ...TIMEOUTS, ...options.timeouts },
    now: options.now,
  }
  const running = new Set<Promise<unknown>>()
  return {
    fetch(request) {
      const work = fetchFile(request, context, closing.signal)
      running.add(work)
      return work.finally(() => running.delete(work))
    },
    async close() {
      closing.abort(new FileError('connection-lost', 'The server is shutting down.'))
      await Promise.allSettled(running)
    },
  }
}

/** What one fetch holds: a connection, timers and a slot at a host. */
interface FetchResources {
  /** Closes the connection; fires no later than `release` is called. */
  signal: AbortSignal
  /** Releases the previous hop's host first, so that two redirect chains cannot deadlock. */
  acquireHost(host: string): Promise<void>
  /** May be called more than once. */
  release(): void
}

function acquireResources(
  request: FetchRequest,
  context: Context,
  closing: AbortSignal,
): FetchResources {
  const { timeouts } = context
  const total = startDeadline(timeouts.totalMs, totalTimeout(timeouts.totalMs), request.signal)
  const close = () => total.abort(closing.reason)
  closing.addEventListener('abort', close, { once: true })
  if (closing.aborted) close()
  let releaseHost: (() => void) | undefined
  let isReleased = false
  let { enteredHost } = request
  const release = () => {
    if (isReleased) return
    isReleased = true
    closing.removeEventListener('abort', close)
    total.signal.removeEventListener('abort', release)
    total.clear()
    total.abort(new FileError('connection-lost', 'The connection was closed.'))
    releaseHost?.()
  }
  // Even a body that is never read is released when the signal fires.
  total.signal.addEventListener('abort', release, { once: true })
  return {
    signal: total.signal,
    release,
    async acquireHost(host) {
      releaseHost?.()
      releaseHost = undefined
      const isEntered = host === enteredHost
      enteredHost = undefined
      if (isEntered) return
      const releaseNew = await request.hosts?.enter(host, total.signal)
      releaseHost = releaseNew
      if (isReleased) releaseNew?.()
    },
  }
}

function totalTimeout(totalMs: number): () => FileError {
  const minutes = Math.round(totalMs / MINUTE_MS)
  const time = minutes > 1 ? `${minutes} minutes` : 'a minute'
  return () => new FileError('took-too-long', `The file did not arrive within ${time}.`)
}

async function fetchFile(
  request: FetchRequest,
  context: Context,
  closing: AbortSignal,
): Promise<FetchResponse> {
  request.signal.throwIfAborted()
  const resources = acquireResources(request, context, closing)
  try {
    const reached = await followRedirects(request, context, resources)
    const { response, url } = reached
    const isConditional = Boolean(request.etag || request.lastModified)
    if (response.statusCode === 304 && isConditional) {
      resources.release()
      return { kind: 'unchanged' }
    }
    if (response.statusCode !== 200) {
      throw request.isS3
        ? await describeS3Refusal(reached, context.now())
        : describeStatus(reached, context.now())
    }
    return await openContent(response, {
      finalUrl: url.href,
      maxBytes: context.maxBytes,
      minimumSpeed: context.timeouts,
      signal: resources.signal,
      now: () => performance.now(),
      release: resources.release,
    })
  } catch (error) {
    const reason: unknown = resources.signal.aborted ? resources.signal.reason : error
    resources.release()
    throw reason
  }
}

async function followRedirects(
  request: FetchRequest,
  context: Context,
  resources: FetchResources,
): Promise<FinalResponse> {
  let url = checkUrl(request.url, context.allow)
  const { origin } = url
  let access: Access = request.credentials ? 'sent' : 'none'
  let host = ''
  let hops = 0
  try {
    for (;;) {
      if (url.host !== host) await resources.acquireHost(url.host)
      host = url.host
      if (url.origin !== origin && access === 'sent') access = 'dropped'
      const response = await sendOnce(url, toHeaders(request, access), context, resources)
      const isLast = request.isS3 || !REDIRECT_STATUSES.has(response.statusCode)
      if (isLast) return { response, url, access }
      response.destroy()
      if (hops === MAX_REDIRECTS) throw tooManyRedirects()
      hops++
      url = checkUrl(redirectTarget(response, url).href, context.allow)
    }
  } catch (error) {
    const isRefusal = error instanceof FileError && error.code === 'address-refused'
    throw isRefusal && hops > 0 ? redirectRefused() : error
  }
}

function tooManyRedirects(): FileError {
  const message = `The address redirects more than ${MAX_REDIRECTS} times.`
  return new FileError('too-many-redirects', message)
}

function toHeaders({ etag, lastModified, credentials }: FetchRequest, access: Access) {
  return {
    'user-agent': 'Stockbridge/1 (+inventory feed fetcher)',
    accept: 'text/csv, text/plain;q=0.9, */*;q=0.5',
    'accept-encoding': 'gzip, identity',
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
    ...(credentials && access === 'sent' && { [credentials.name]: credentials.value }),
  }
}

async function sendOnce(
  url: URL,
  headers: Record<string, string>,
  { allow, lookup, ca, timeouts }: Context,
  resources: FetchResources,
): Promise<HttpResponse> {
  const { signal, clear } = startDeadline(timeouts.headersMs, responseTimeout, resources.signal)
  try {
    const guard = { allow, lookup, ca, connectTimeoutMs: timeouts.connectMs, signal }
    const socket = addAbortSignal(resources.signal, await connectGuarded(url, guard))
    return await waitUnlessAborted(sendRequest(url, socket, headers), signal)
  } catch (error) {
    throw describeTransferFailure(error, 'response')
  } finally {
    clear()
  }
}

function responseTimeout(): FileError {
  return new FileError('answer-timeout', 'The server did not answer in time.')
}
