import { STATUS_CODES } from 'node:http'

import {
  headerOf,
  type HttpResponse,
  readRetryAfter,
  REDIRECT_STATUSES,
} from '../../fetch/http/http-response'
import { FileError } from '../../file-error'
import type { SendRequest } from '../send-request'

/** Nothing of an answer is shown or stored but its status: what is more is read, so that nobody is cut off, and dropped. */
const MAX_READ_BYTES = 64 * 1024
const READ_WITHIN_MS = 2_000

/** A status in our own words for it, not in those of the server. */
export function showStatus(status: number): string {
  const name = STATUS_CODES[status]
  return name ? `${status} ${name}` : String(status)
}

/** Some programs end in the middle of their work when nobody reads their answer. */
export async function readToEnd(response: HttpResponse): Promise<void> {
  const timer = setTimeout(() => response.destroy(), READ_WITHIN_MS)
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > MAX_READ_BYTES) break
    }
  } catch {
    // The status tells enough.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}

interface Refused {
  url: URL
  request: SendRequest
  /** Unix milliseconds, for `Retry-After`. */
  now: number
}

/** The error for an answer that is not a success. */
export function describeRefusal(response: HttpResponse, { url, request, now }: Refused): FileError {
  const { statusCode } = response
  const why = REDIRECT_STATUSES.has(statusCode)
    ? explainRedirect(response, url)
    : explainStatus(statusCode, request)
  const retryAfterMs = readRetryAfter(headerOf(response, 'retry-after'), now)
  return new FileError(
    'http-status',
    `The server answered ${showStatus(statusCode)}.${why}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  )
}

function explainStatus(status: number, { method, credentials }: SendRequest): string {
  const other = method === 'PUT' ? 'POST' : 'PUT'
  switch (status) {
    case 401:
    case 403:
    case 407:
      return credentials
        ? ' It does not accept the credentials of this destination.'
        : ' The address requires credentials: enter them under Access.'
    case 404:
    case 410:
      return ' There is nothing at this address that takes files.'
    case 405:
    case 501:
      return ` It does not take files by ${method} at this address: choose ${other}, or check the address.`
    case 411:
      return ' It does not understand how long the file is, though it was told.'
    case 413:
      return ' The file is larger than it takes: ask its operator to allow more, or choose a shop format with fewer columns.'
    case 415:
      return ' It does not take files of this kind: choose another shop format.'
    case 429:
      return ' It has received too many requests.'
    case 507:
      return ' It has no space left for the file.'
    default:
      return status >= 500 ? ' The error is on the server side.' : ''
  }
}

/** Only the host is named: the rest of the address may be anything. */
function explainRedirect(response: HttpResponse, url: URL): string {
  const location = headerOf(response, 'location') ?? ''
  const isRead = location !== '' && location.length <= 2_000 && URL.canParse(location, url)
  const { hostname, protocol } = isRead ? new URL(location, url) : url
  const isElsewhere = isRead && (hostname !== url.hostname || protocol !== url.protocol)
  const to = isElsewhere && /^https?:$/.test(protocol) ? ` ${protocol}//${hostname}` : ''
  return ` It redirects${to === '' ? '' : ` to${to}`}, and files are sent only to the address that was entered: enter the final one.`
}
