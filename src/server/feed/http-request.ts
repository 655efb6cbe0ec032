import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

import type { Answer } from './http-answer'

/** For the head of an answer. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Asks for a URL on a connection that stands, which serves nothing else afterwards. Passes over
 * answers 1xx; the body comes as the reader asks for it, and its failures are its own.
 */
export function sendRequest(
  url: URL,
  socket: Socket,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    // No agent has a say here: nothing is kept alive, and no proxy is found in the environment.
    const request = send(url, {
      headers,
      createConnection: () => socket,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    const take = (answer: IncomingMessage) => {
      // Before anybody listens, an error of the body would be thrown at the process.
      answer.on('error', ignore)
      // Node takes a reset for the end of a body that has no length.
      request.on('error', (error) => {
        if (!answer.complete) answer.destroy(error)
      })
      resolve(answer as Answer)
    }
    // An upgrade (101) was not asked for: it is an answer without a file.
    request.on('error', reject).on('response', take).on('upgrade', take).end()
  })
}

function ignore(): void {}
