import { type IncomingMessage, STATUS_CODES } from 'node:http'

import { URL_MAX_LENGTH } from '../../../shared/constants'
import { FeedError } from '../feed-error'

/** What a client receives has a status; Node's types serve both sides. */
export type Answer = IncomingMessage & { statusCode: number }

type AnswerHead = Pick<Answer, 'statusCode' | 'headers'>

export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A `Retry-After` beyond this is no plan but a mistake. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000
/** A date has 29 characters. */
const MAX_RETRY_AFTER_LENGTH = 100

/** The longest that is kept of what a server wants to be told again. */
const MAX_VALIDATOR_LENGTH = 1_000

/** The first value of a header, or null. */
export function headerOf({ headers }: AnswerHead, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** An `ETag` or `Last-Modified`; null also for one too long to be sent back. */
export function validatorOf(answer: AnswerHead, name: 'etag' | 'last-modified'): string | null {
  const value = headerOf(answer, name)
  return value !== null && value.length <= MAX_VALIDATOR_LENGTH ? value : null
}

/** Whether credentials went with the request, or were left behind at the first origin. */
export type Access = 'none' | 'sent' | 'dropped'

/** An answer, and where it came from in the end. */
export interface Reached {
  answer: Answer
  url: URL
  access: Access
}

/** The error for an answer that is no file; `now` in Unix milliseconds. */
export function describeStatus({ answer, url, access }: Reached, now: number): FeedError {
  const { statusCode } = answer
  const name = STATUS_CODES[statusCode]
  const status = name ? `${statusCode} ${name}` : String(statusCode)
  const retryAfterMs = readRetryAfter(headerOf(answer, 'retry-after'), now)
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
      return ' That is an answer without a file.'
    case 206:
      return ' That is only a part of the file.'
    case 401:
    case 403:
    case 407:
      return explainRefusal(url, access)
    case 404:
      return ' There is no file at this address.'
    case 410:
      return ' The file was taken away from this address for good.'
    case 429:
      return ' It has been asked too often.'
    default:
      return status >= 500 ? ' The fault is on its side.' : ''
  }
}

function explainRefusal(url: URL, access: Access): string {
  switch (access) {
    case 'sent':
      return ' It does not accept the credentials of this connection.'
    case 'dropped':
      return ` The address leads on to ${url.origin}, which does not get the credentials of this connection. Enter that address instead.`
    default:
      return ' The address needs a permission that we do not have: enter it under Access.'
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
export function redirectTarget(answer: AnswerHead, from: URL): URL {
  const location = headerOf(answer, 'location')
  if (location === null || location.length > URL_MAX_LENGTH || !URL.canParse(location, from)) {
    throw new FeedError('bad-redirect', 'The server leads on to an address that cannot be read.')
  }
  const target = new URL(location, from)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw new FeedError(
      'bad-redirect',
      'The server leads on to an address that is not a web address.',
    )
  }
  if (target.username || target.password) {
    throw new FeedError('bad-redirect', 'The server leads on to an address with a user name in it.')
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new FeedError(
      'bad-redirect',
      'The server leads from a secure address to an insecure one.',
    )
  }
  return target
}
