import type { Socket } from 'node:net'

import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import { connectGuarded, type Lookup } from './address-guard'
import { checkUrl, type FetchAllow, webEndpoint } from './address-rules'
import { describeTransferFailure } from './connect-failure'
import type { EgressProxy } from './egress-proxy'
import { sendRequest } from './http/http-request'

interface TextRequest {
  url: string
  allow: FetchAllow
  lookup?: Lookup | undefined
  proxy?: EgressProxy | undefined
  headers: Record<string, string>
  maxBytes: number
  /** For all of it. */
  timeoutMs: number
}

/**
 * Reads a short text from a web address, by the same guard as files are; redirects are not followed.
 * @throws FileError, also for any status but 200 and for an answer of more than `maxBytes`
 */
export async function getText(request: TextRequest): Promise<string> {
  const { allow, lookup, proxy, timeoutMs } = request
  const url = checkUrl(request.url, allow)
  const deadline = startDeadline(timeoutMs, () => noAnswer(timeoutMs), new AbortController().signal)
  const { signal } = deadline
  let socket: Socket | undefined
  try {
    const guard = { allow, lookup, proxy, connectTimeoutMs: timeoutMs, signal }
    socket = await connectGuarded(webEndpoint(url), guard)
    return await waitUnlessAborted(read(url, socket, request), signal)
  } finally {
    socket?.destroy()
    deadline.clear()
  }
}

async function read(url: URL, socket: Socket, { headers, maxBytes }: TextRequest): Promise<string> {
  const sent = sendRequest(url, socket, { ...headers, 'accept-encoding': 'identity' })
  const response = await sent.catch((error: unknown) => {
    throw describeTransferFailure(error, 'response')
  })
  if (response.statusCode !== 200) {
    throw new FileError('http-status', `The server answered ${response.statusCode}.`)
  }
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxBytes) throw new FileError('too-large', 'The answer is too long.')
      pieces.push(piece)
    }
  } catch (error) {
    throw describeTransferFailure(error, 'body')
  }
  return Buffer.concat(pieces).toString('utf8')
}

function noAnswer(timeoutMs: number): FileError {
  return new FileError('answer-timeout', `There was no answer within ${timeoutMs / 1_000} s.`)
}
