import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'

import { receiveMessages, sendMessage } from '../../feed/children/lines'
import { createCategoryList } from '../../feed/children/messages'
import {
  checkUrl,
  isAddressAllowed,
  classifyAddress,
  parseFetchAllow,
} from '../../feed/fetch/address-rules'
import { openContent } from '../../feed/fetch/feed-content'
import { gunzip } from '../../feed/fetch/gunzip'
import {
  type HttpResponse,
  describeStatus,
  headerOf,
  readRetryAfter,
  redirectTarget,
  validatorOf,
} from '../../feed/fetch/http-response'
import { enforceMinimumSpeed } from '../../feed/fetch/minimum-speed'
import { inChunks } from '../feed-fixtures'
import { type GrowthCase, exempt, file, text, texts } from './case'
import { unlessRefused, unlessRefusedLater } from './rows'

const { signal } = new AbortController()
const ALLOW = parseFetchAllow(['10.0.0.0/8', 'feeds.example:8080', '::1'])
const NO_TEXT = 'it is given no text'
const SPEED = { idleMs: 60_000, slowWindowMs: 60_000, minBytesPerSecond: 1 }
const url = new URL('https://feeds.example/a.csv')

/** Whoever asks a server has its own tests; what the server says goes through the cases here. */
const ASKS = 'it moves bytes; what they say is read by functions that are tried'

function answerWith(
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

/** By file below `src/server/feed` and export. */
export const sourceCases: Record<string, Record<string, GrowthCase>> = {
  'fetch/address-guard': { connectGuarded: exempt(ASKS) },
  'fetch/address-rules': {
    addressRefused: exempt(NO_TEXT),
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
    portOf: exempt('it reads the parts of a URL that was checked'),
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
  'fetch/feed-content': {
    openContent: file(async (bytes) => {
      await unlessRefusedLater(open(answerWith({}, bytes)))
      await unlessRefusedLater(
        open(answerWith({ 'content-encoding': `gzip${bytes.toString()}` }, bytes)),
      )
    }),
  },
  'feed-error': {
    FeedError: exempt('it keeps a text of our own'),
    isTableError: exempt('it compares codes'),
    noContent: exempt('it has no input'),
    isNotCsv: exempt('it compares codes'),
  },
  'fetch/fetch': { createFeedFetcher: exempt(ASKS) },
  'fetch/gunzip': {
    isGzip: exempt('it looks at two bytes'),
    gunzip: file((bytes) =>
      unlessRefusedLater(drain(gunzip(inChunks(gzipSync(bytes, { level: 1 }), 16)))),
    ),
  },
  'fetch/http-response': {
    headerOf: text((whole) => headerOf(answerWith({ etag: whole }), 'etag')),
    validatorOf: text((whole) => validatorOf(answerWith({ etag: whole }), 'etag')),
    describeStatus: text((whole) => {
      const response = answerWith({ 'retry-after': whole })
      return describeStatus({ response, url, access: 'dropped' }, 0)
    }),
    readRetryAfter: text((whole) => readRetryAfter(whole, 0)),
    redirectTarget: text((location) => {
      unlessRefused(() => redirectTarget(answerWith({ location }), url))
      unlessRefused(() => redirectTarget(answerWith({ location: `https://${location}` }), url))
    }),
  },
  'fetch/http-request': { sendRequest: exempt(ASKS) },
  'fetch/minimum-speed': {
    enforceMinimumSpeed: file((bytes) =>
      drain(enforceMinimumSpeed(inChunks(bytes, 512), SPEED, signal, () => 0)),
    ),
  },
  'sources/open-csv': { openCsv: exempt(ASKS) },
  'sources/url-source': { openUrl: exempt(ASKS) },
}

/** The operator's own entries are refused with a plain error. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // Refused.
  }
}
