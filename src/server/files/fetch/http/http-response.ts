import { type IncomingMessage, STATUS_CODES } from 'node:http'

import { URL_MAX_LENGTH } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { FileError } from '../../file-error'

/** A response always has a status; Node's type is shared with requests, which have none. */
export type HttpResponse = IncomingMessage & { statusCode: number }

type ResponseHead = Pick<HttpResponse, 'statusCode' | 'headers'>

export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A longer `Retry-After` is assumed to be a mistake. */
const MAX_RETRY_AFTER_MS = DAY_MS
/** In characters; an HTTP date has 29. */
const MAX_RETRY_AFTER_LENGTH = 100

/** In characters; a longer `ETag` or `Last-Modified` is not stored. */
const MAX_VALIDATOR_LENGTH = 1_000

/** The first value of a header, or null. */
export function headerOf({ headers }: ResponseHead, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** The `ETag` or `Last-Modified`; null when there is none, or it is too long to store. */
export function validatorOf(response: ResponseHead, name: 'etag' | 'last-modified'): string | null {
  const value = headerOf(response, name)
  return value !== null && value.length <= MAX_VALIDATOR_LENGTH ? value : null
}

/** Whether the request had credentials; `dropped` after a redirect to another origin. */
export type Access = 'none' | 'sent' | 'dropped'

/** The response after all redirects, and the URL it came from. */
export interface FinalResponse {
  response: HttpResponse
  url: URL
  access: Access
}

/** The error for a response other than 200. @param now Unix milliseconds, for `Retry-After` */
export function describeStatus({ response, url, access }: FinalResponse, now: number): FileError {
  const { statusCode } = response
  const name = STATUS_CODES[statusCode]
  const status = name ? `${statusCode} ${name}` : String(statusCode)
  const retryAfterMs = readRetryAfter(headerOf(response, 'retry-after'), now)
  return new FileError(
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

/** Parses a `Retry-After` in seconds or as a date to milliseconds from `now`, at most a day. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.length > MAX_RETRY_AFTER_LENGTH) return undefined
  const text = header.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

/** The target of a redirect. @throws FileError `bad-redirect` */
export function redirectTarget(response: ResponseHead, from: URL): URL {
  const location = headerOf(response, 'location')
  if (location === null || location.length > URL_MAX_LENGTH || !URL.canParse(location, from)) {
    throw new FileError('bad-redirect', 'The server redirects to an invalid address.')
  }
  const target = new URL(location, from)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw new FileError(
      'bad-redirect',
      'The server redirects to an address that is not a web address.',
    )
  }
  if (target.username || target.password) {
    throw new FileError(
      'bad-redirect',
      'The server redirects to an address that contains a user name.',
    )
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new FileError(
      'bad-redirect',
      'The server redirects from a secure address to an insecure one.',
    )
  }
  return target
}
