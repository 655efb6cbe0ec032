import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'

import { receiveMessages, sendMessage } from '../../../files/children/lines'
import { createCategoryList } from '../../../files/children/messages'
import {
  checkUrl,
  isAddressAllowed,
  classifyAddress,
  parseFetchAllow,
  withoutBrackets,
} from '../../../files/fetch/address-rules'
import { openContent } from '../../../files/fetch/fetched-content'
import { gunzip } from '../../../files/fetch/gunzip'
import {
  type HttpResponse,
  describeStatus,
  headerOf,
  readRetryAfter,
  redirectTarget,
  validatorOf,
} from '../../../files/fetch/http-response'
import { enforceMinimumSpeed } from '../../../files/fetch/minimum-speed'
import { inChunks } from '../../fixtures/file-fixtures'
import { type GrowthCase, exempt, file, text, texts } from './case'
import { unlessRefused, unlessRefusedLater } from './rows'

const { signal } = new AbortController()
const ALLOW = parseFetchAllow(['10.0.0.0/8', 'feeds.example:8080', '::1'])
const NO_TEXT = 'takes no text'
const SPEED = { idleMs: 60_000, slowWindowMs: 60_000, minBytesPerSecond: 1 }
const url = new URL('https://feeds.example/a.csv')

/** Requests have their own tests; the functions that parse responses are measured here. */
const MOVES_BYTES = 'moves bytes; they are parsed by functions that are measured'

function responseWith(
  headers: Record<string, string>,
  bytes: Buffer = Buffer.alloc(0),
): HttpResponse {
  const body = Readable.from(inChunks(bytes, 512))
  return Object.assign(body, { statusCode: 503, headers }) as unknown as HttpResponse
}

async function drain(source: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0
  for await (const chunk of source) length += chunk.length
  return length
}

const open = async (response: HttpResponse) => {
  const options = { finalUrl: url.href, maxBytes: 1e9, minimumSpeed: SPEED, signal, now: () => 0 }
  const content = await openContent(response, { ...options, release() {} })
  return drain(content.body)
}

/** Cases by file below `src/server/files` and export. */
export const sourceCases: Record<string, Record<string, GrowthCase>> = {
  'fetch/address-guard': { connectGuarded: exempt(MOVES_BYTES) },
  'fetch/address-rules': {
    addressRefused: exempt(NO_TEXT),
    redirectRefused: exempt(NO_TEXT),
    withoutBrackets: text((host) => withoutBrackets(`[${host}]`)),
    parseFetchAllow: text((whole) => {
      attempt(() => parseFetchAllow([whole]))
      attempt(() => parseFetchAllow([`${whole}:80`]))
    }),
    classifyAddress: text(classifyAddress),
    isAddressAllowed: text((whole) =>
      isAddressAllowed(ALLOW, { host: whole, port: 80, address: whole }),
    ),
    checkUrl: text((whole) => {
      unlessRefused(() => checkUrl(whole, ALLOW))
      unlessRefused(() => checkUrl(`http://${whole}`, ALLOW))
    }),
    portOf: exempt('reads parts of a URL that was checked'),
  },
  'children/lines': {
    sendMessage: text((message) => sendMessage(new PassThrough(), message)),
    receiveMessages: file(async (bytes) => {
      const stream = new PassThrough()
      const take = { messages: 0, broken: 0 }
      const count = () => void take.messages++
      receiveMessages(stream, 2 * bytes.length, count, () => void take.broken++)
      for await (const chunk of inChunks(bytes, 64)) stream.write(chunk)
      stream.end()
      await finished(stream)
      return take
    }),
  },
  'children/messages': {
    createCategoryList: texts((cells) => {
      const list = createCategoryList()
      for (const cell of cells.slice(0, 20_000)) list.add([[cell, 1]])
      return list
    }),
  },
  'fetch/fetched-content': {
    openContent: file(async (bytes) => {
      await unlessRefusedLater(open(responseWith({}, bytes)))
      await unlessRefusedLater(
        open(responseWith({ 'content-encoding': `gzip${bytes.toString()}` }, bytes)),
      )
    }),
  },
  'file-error': {
    FileError: exempt('stores a fixed text'),
    isTableError: exempt('compares codes'),
    noContent: exempt('takes no input'),
    isNotCsv: exempt('compares codes'),
  },
  'fetch/fetch': { createFileFetcher: exempt(MOVES_BYTES) },
  'fetch/gunzip': {
    isGzip: exempt('reads two bytes'),
    gunzip: file((bytes) =>
      unlessRefusedLater(drain(gunzip(inChunks(gzipSync(bytes, { level: 1 }), 16)))),
    ),
  },
  'fetch/http-response': {
    headerOf: text((whole) => headerOf(responseWith({ etag: whole }), 'etag')),
    validatorOf: text((whole) => validatorOf(responseWith({ etag: whole }), 'etag')),
    describeStatus: text((whole) => {
      const response = responseWith({ 'retry-after': whole })
      return describeStatus({ response, url, access: 'dropped' }, 0)
    }),
    readRetryAfter: text((whole) => readRetryAfter(whole, 0)),
    redirectTarget: text((location) => {
      unlessRefused(() => redirectTarget(responseWith({ location }), url))
      unlessRefused(() => redirectTarget(responseWith({ location: `https://${location}` }), url))
    }),
  },
  'fetch/http-request': { sendRequest: exempt(MOVES_BYTES) },
  'fetch/minimum-speed': {
    enforceMinimumSpeed: file((bytes) =>
      drain(enforceMinimumSpeed(inChunks(bytes, 512), SPEED, signal, () => 0)),
    ),
  },
  'sources/open-csv': { openCsv: exempt(MOVES_BYTES) },
  'sources/url-source': { openUrl: exempt(MOVES_BYTES) },
}

/** Ignores errors: invalid settings of the operator throw a plain Error. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // Refused.
  }
}
