import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

import { FileError } from '../../file-error'
import type { HttpResponse } from './http-response'

/** For the headers of a response. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Sends a GET request over an open connection, which is used for nothing else. Ignores 1xx responses.
 * Resolves with the headers; the body is read by the caller, with backpressure, and emits its own
 * errors.
 */
export function sendRequest(
  url: URL,
  socket: Socket,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    // Without an agent no connection is kept alive, and no proxy is taken from the environment.
    const request = send(url, {
      headers,
      createConnection: () => socket,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    const take = (response: IncomingMessage) => {
      // An error of the body before it is read would otherwise crash the process.
      response.on('error', ignore)
      // Node treats a reset as the end of a body that has no length.
      request.on('error', (error) => {
        if (!response.complete) response.destroy(error)
        else if (hasMoreThanAnnounced(response, error)) response.destroy(wrongLength(error))
      })
      resolve(response as HttpResponse)
    }
    // An upgrade (101) was not requested; it is handled like any response without a file.
    request.on('error', reject).on('response', take).on('upgrade', take).end()
  })
}

/**
 * Whether bytes follow the announced end: if the server counted characters instead of bytes, for
 * example, the file is cut. Only bytes that arrive together with that end are detected.
 */
function hasMoreThanAnnounced(response: IncomingMessage, error: NodeJS.ErrnoException): boolean {
  const isByLength = response.headers['content-length'] !== undefined
  return isByLength && !response.readableEnded && error.code?.startsWith('HPE_') === true
}

function wrongLength(cause: unknown): FileError {
  return new FileError(
    'wrong-length',
    'The server sent more than the length that it announced, so the end of the file is missing.',
    { cause },
  )
}

function ignore(): void {}
