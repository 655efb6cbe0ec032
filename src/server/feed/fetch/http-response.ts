import { type IncomingMessage, STATUS_CODES } from 'node:http'

import { URL_MAX_LENGTH } from '../../../shared/constants'
import { FeedError } from '../feed-error'

/** What a client receives has a status; Node's types serve both sides. */
export type HttpResponse = IncomingMessage & { statusCode: number }

type ResponseHead = Pick<HttpResponse, 'statusCode' | 'headers'>

export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A `Retry-After` beyond this is no plan but a mistake. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000
/** A date has 29 characters. */
const MAX_RETRY_AFTER_LENGTH = 100

/** The longest that is kept of what a server wants to be told again. */
const MAX_VALIDATOR_LENGTH = 1_000

/** The first value of a header, or null. */
export function headerOf({ headers }: ResponseHead, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** An `ETag` or `Last-Modified`; null also for one too long to be sent back. */
export function validatorOf(response: ResponseHead, name: 'etag' | 'last-modified'): string | null {
  const value = headerOf(response, name)
  return value !== null && value.length <= MAX_VALIDATOR_LENGTH ? value : null
}

/** Whether credentials went with the request, or were left behind at the first origin. */
export type Access = 'none' | 'sent' | 'dropped'

/** An response, and where it came from in the end. */
export interface FinalResponse {
  response: HttpResponse
  url: URL
  access: Access
}

/** The error for an response that is no file; `now` in Unix milliseconds. */
export function describeStatus({ response, url, access }: FinalResponse, now: number): FeedError {
  const { statusCode } = response
  const name = STATUS_CODES[statusCode]
  const status = name ? `${statusCode} ${name}` : String(statusCode)
  const retryAfterMs = readRetryAfter(headerOf(response, 'retry-after'), now)
  return new FeedError(
    'http-status',
    `The server answered ${status}.${explainStatus(statusCode, url, access)}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  )
}

function explainStatus(status: number, url: URL, access: Access): string {
  switch (status) {
    case 204:
    case 304:
      return ' That response contains no file.'
    case 206:
      return ' That response contains only a part of the file.'
    case 401:
    case 403:
    case 407:
      return explainRefusal(url, access)
    case 404:
      return ' There is no file at this address.'
    case 410:
      return ' The file has been removed from this address permanently.'
    case 429:
      return ' It has received too many requests.'
    default:
      return status >= 500 ? ' The error is on the server side.' : ''
  }
}

function explainRefusal(url: URL, access: Access): string {
  switch (access) {
    case 'sent':
      return ' It does not accept the credentials of this connection.'
    case 'dropped':
      return ` The address redirects to ${url.origin}, which does not get the credentials of this connection. Enter that address instead.`
    default:
      return ' The address requires credentials: enter them under Access.'
  }
}

/** Seconds or a date, as milliseconds from `now`; at most a day. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.length > MAX_RETRY_AFTER_LENGTH) return undefined
  const text = header.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

/** Where a redirect leads. @throws FeedError `bad-redirect` */
export function redirectTarget(response: ResponseHead, from: URL): URL {
  const location = headerOf(response, 'location')
  if (location === null || location.length > URL_MAX_LENGTH || !URL.canParse(location, from)) {
    throw new FeedError('bad-redirect', 'The server redirects to an invalid address.')
  }
  const target = new URL(location, from)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw new FeedError(
      'bad-redirect',
      'The server redirects to an address that is not a web address.',
    )
  }
  if (target.username || target.password) {
    throw new FeedError(
      'bad-redirect',
      'The server redirects to an address that contains a user name.',
    )
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new FeedError(
      'bad-redirect',
      'The server redirects from a secure address to an insecure one.',
    )
  }
  return target
}
