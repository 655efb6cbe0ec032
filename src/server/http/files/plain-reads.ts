import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import proxyAddress from '@fastify/proxy-addr'

import { FEED_FILE_NAMES } from '../../../shared/shop-formats'
import { readFormOfName } from '../../api/file-format'
import { may, selfOf } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import type { ReadableFile } from '../../features/catalogue/versions/connection-files'
import { mayHaveCopies } from '../../features/distribution/compressed-files/compressed-files'
import type { FeedFile, FeedFiles } from '../../features/distribution/downloads/feed-file'
import type { RetailerFiles } from '../../features/distribution/downloads/retailer-files'
import type { AddressReader } from '../../features/distribution/feed-addresses/judge-reader'
import type { CallLimits } from '../guards/call-limits'
import type { Drain } from '../guards/draining'
import { isOurHost, readOurName } from '../guards/host-names'
import { recordRequest } from '../guards/observe-requests'
import { isHost } from '../guards/request-forms'
import { countedAddress } from '../sessions/client-address'
import type { KnownCookies } from '../sessions/known-cookies'
import { chooseAnswer, isOver, toLastModified, type Validators } from './conditions'
import { readReader, toFeedFileSending } from './feeds'
import { toFileHeaders, type FileSending } from './file-headers'
import {
  chooseRepresentation,
  preferredCoding,
  toRepresentation,
  type Representation,
} from './representations'

/** What reads of files need to be answered without the framework; the routes use the same. */
export type PlainReadParts = {
  feedFiles: FeedFiles
  retailerFiles: RetailerFiles
  cookies: KnownCookies
  limits: CallLimits
  securityHeaders: Record<string, string>
}

/** A file that is remembered, and by which address. */
type FoundFile = {
  prepared: PreparedFile
  /** As the log and the metrics name it. */
  route: string
  path: string
  userId?: number
  /** Counts the read, beside the call of its client's address. */
  count(): boolean
}

/** What is the same in each answer with a file. */
type PreparedFile = {
  file: ReadableFile
  whole: Representation
  modifiedAt: number | undefined
  /** The value of Last-Modified, once it may be said. */
  lastModified: string | undefined
  /** By status, representation and whether the time is said; the id of the request is left out. */
  heads: Map<string, string[]>
  headers: FileSending['headers']
}

const FEED = new RegExp(
  `^/feeds/([\\w-]{43})/(${FEED_FILE_NAMES.map((name) => name.replace('.', '\\.')).join('|')})$`,
)
const DOWNLOAD = /^\/api\/retailers\/([1-9]\d{0,14})\/files\/([\w-][\w.-]{0,199})$/
/** With any of these, a read goes the whole way. */
const NOT_PLAIN = [
  'range',
  'if-range',
  'if-match',
  'if-unmodified-since',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'x-forwarded-host',
] as const

/**
 * Returns a function that answers a plain read of a file whose bytes and settings are in memory, as its
 * route would, byte by byte; false for every other request, of which nothing has happened yet.
 */
export function createPlainReads(
  deps: Deps,
  parts: PlainReadParts,
): (request: IncomingMessage, response: ServerResponse, drain: Drain) => boolean {
  const { limits } = parts
  const { trustProxy, publicUrl } = deps.config
  const isOurs = rememberLast((host) => isOurHost(host, readOurName(publicUrl)))
  const trusts = trustProxy.length > 0 ? proxyAddress.compile(trustProxy) : undefined
  const forwardedTo = (request: IncomingMessage) => trusts && proxyAddress(request, trusts)
  const addressOf = (request: IncomingMessage) =>
    countedAddress(forwardedTo(request), request.socket.remoteAddress)
  const readerOf = (request: IncomingMessage) =>
    readReader(request.headers, forwardedTo(request) ?? request.socket.remoteAddress ?? '')
  const find = createFinder(deps, parts, readerOf)

  function answer(request: IncomingMessage, response: ServerResponse, drain: Drain): boolean {
    if (drain.isClosing() || !isPlain(request, isOurs)) return false
    const startedAt = performance.now()
    const found = find(request)
    const chosen = found && choose(deps, request.headers, found.prepared)
    if (!found || !chosen) return false
    const { prepared, route, path, userId } = found
    const { representation, isCopyMissing } = chosen
    const { method = '', headers } = request
    const validators = describe(prepared, representation, deps.clock.now())
    const { status } = chooseAnswer(method, headers, validators)
    if (status !== 200 && status !== 304) return false
    const isSent = status === 200 && method === 'GET'
    const content = isSent ? deps.smallFiles.recall(representation.sha256) : undefined
    if (isSent && (!content || isCopyMissing)) return false
    if (!found.count() || !limits.callsFromAddress.tryCount(addressOf(request), 1)) return false
    if (isSent || status === 304) {
      void prepared.file.onRead?.({ userAgent: headers['user-agent'], isSent })
    }
    const requestId = randomUUID()
    const observed = { requestId, method, route, path, userId }
    response.writeHead(status, toHead(prepared, { status, representation, validators, requestId }))
    const record = (isComplete: boolean) => {
      const ms = performance.now() - startedAt
      if (content && isComplete) deps.metrics.fileSent(content.length)
      recordRequest(deps, observed, { statusCode: status, ms, isComplete })
    }
    response.end(content)
    if (content) {
      const end = drain.begin()
      response.once('close', () => {
        end()
        record(response.writableFinished)
      })
    } else {
      record(true)
    }
    return true
  }

  return (request, response, drain) => {
    try {
      return answer(request, response, drain)
    } catch (error) {
      // Nobody else would: here is nothing in front of the process.
      deps.logger.error({ err: error }, 'A read could not be answered in front of the framework')
      if (response.headersSent) response.destroy()
      return response.headersSent
    }
  }
}

/** Of what is nearly always the same. */
function rememberLast(judge: (text: string) => boolean): (text: string) => boolean {
  let last = { text: '', result: judge('') }
  return (text) => {
    if (text !== last.text) last = { text, result: judge(text) }
    return last.result
  }
}

function isPlain(
  { method, httpVersion, headers, rawHeaders }: IncomingMessage,
  isOurs: (host: string) => boolean,
): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || httpVersion !== '1.1') return false
  if (NOT_PLAIN.some((name) => headers[name] !== undefined)) return false
  if (!isOurs(headers.host ?? '')) return false
  return rawHeaders.filter(isHost).length === 1
}

function createFinder(
  { config }: Deps,
  { feedFiles, retailerFiles, cookies, limits, securityHeaders }: PlainReadParts,
  readerOf: (request: IncomingMessage) => AddressReader,
) {
  const feeds = rememberPrepared<FeedFile>(securityHeaders, toFeedFileSending)
  const downloads = rememberPrepared<ReadableFile>(securityHeaders, () => ({}))
  return (request: IncomingMessage): FoundFile | undefined => {
    const { url = '', headers } = request
    const [, token = '', fileName = ''] = FEED.exec(url) ?? []
    if (token) {
      const file = feedFiles.recall(token, readFormOfName(fileName), () => readerOf(request))
      if (!file) return undefined
      const route = `/feeds/:token/${fileName}`
      const count = () => limits.readsOfFeed.tryCount(file.addressId, 1)
      return { prepared: feeds(file), route, path: route, count }
    }
    if (config.redirectsDownloads) return undefined
    const [, id = '', name = ''] = DOWNLOAD.exec(url) ?? []
    const actor = id ? cookies.recall(headers) : undefined
    const file =
      actor &&
      may(actor, 'files') &&
      retailerFiles.recall(actor, { id: Number(id), fileName: name })
    if (!actor || !file) return undefined
    const route = '/api/retailers/:id/files/:fileName'
    const count = () => limits.callsByUser.tryCount(selfOf(actor).id, 1)
    return { prepared: downloads(file), route, path: url, userId: selfOf(actor).id, count }
  }
}

/** Returns a function that prepares a file once, as long as it is remembered. */
function rememberPrepared<File extends ReadableFile>(
  securityHeaders: Record<string, string>,
  toSending: (file: File) => FileSending,
): (file: File) => PreparedFile {
  const known = new WeakMap<File, PreparedFile>()
  return (file) => {
    const found = known.get(file)
    if (found) return found
    const { modifiedAt, headers } = toSending(file)
    const prepared = {
      file,
      whole: toRepresentation(file),
      modifiedAt,
      lastModified: modifiedAt === undefined ? undefined : toLastModified(modifiedAt, Infinity),
      heads: new Map<string, string[]>(),
      headers: { 'x-request-id': '', ...securityHeaders, ...headers },
    }
    known.set(file, prepared)
    return prepared
  }
}

/**
 * How the file is sent to a reader, and whether the copy that it prefers has to be requested when it is; undefined if
 * copies have to be looked up.
 */
function choose(
  { compressedFiles }: Deps,
  headers: IncomingHttpHeaders,
  { file, whole }: PreparedFile,
): { representation: Representation; isCopyMissing: boolean } | undefined {
  const preferred = preferredCoding(headers)
  if (!mayHaveCopies(file) || preferred === undefined) {
    return { representation: whole, isCopyMissing: false }
  }
  const known = compressedFiles.recall(file.sha256)
  if (!known) return undefined
  const copies = known.copies.map(toRepresentation)
  return {
    representation: chooseRepresentation(headers, whole, copies),
    isCopyMissing: known.missing.includes(preferred),
  }
}

function describe(
  { modifiedAt, lastModified }: PreparedFile,
  { etag, sizeBytes }: Representation,
  now: number,
): Validators {
  const isTimeTold = modifiedAt !== undefined && isOver(modifiedAt, now)
  return { etag, sizeBytes, modifiedAt, lastModified: isTimeTold ? lastModified : undefined }
}

type HeadOf = {
  status: 200 | 304
  representation: Representation
  validators: Validators
  requestId: string
}

/** Names and values of an answer's headers, in turn. */
function toHead(
  { file, heads, headers }: PreparedFile,
  { status, representation, validators: { lastModified }, requestId }: HeadOf,
): string[] {
  const key = `${status} ${representation.etag} ${lastModified === undefined}`
  let known = heads.get(key)
  if (!known) {
    const answer = { status }
    const all = toFileHeaders(file, { answer, representation, lastModified, headers })
    known = Object.entries(all).flatMap(([name, value]) => [name, String(value)])
    heads.set(key, known)
  }
  // Written before this is called again.
  known[1] = requestId
  return known
}
