import type { Socket } from 'node:net'

import { FileError } from '../../file-error'
import { connectGuarded } from '../address-guard'
import { checkUrl, redirectRefused, webEndpoint } from '../address-rules'
import { describeTransferFailure } from '../connect-failure'
import {
  type FetchContext,
  type FetchRequest,
  type FetchResources,
  type FetchResponse,
  toGuard,
  waitForAnswer,
} from '../fetch-context'
import { openHttpContent } from './http-content'
import { sendRequest } from './http-request'
import {
  type Access,
  describeStatus,
  type FinalResponse,
  type HttpResponse,
  REDIRECT_STATUSES,
  redirectTarget,
} from './http-response'
import { describeS3Refusal } from './s3-refusal'

const MAX_REDIRECTS = 5

/** Fetches a file over HTTP and follows redirects; every hop is checked, and waits for its host's gate. */
export async function fetchOverHttp(
  request: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const reached = await followRedirects(request, context, resources)
  const { response, url } = reached
  const isConditional = Boolean(request.etag || request.lastModified)
  if (response.statusCode === 304 && isConditional) return { kind: 'unchanged' }
  if (response.statusCode !== 200) {
    throw request.isS3
      ? await describeS3Refusal(reached, context.now())
      : describeStatus(reached, context.now())
  }
  return openHttpContent(response, url, context, resources)
}

async function followRedirects(
  request: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FinalResponse> {
  let url = checkUrl(request.url, context.allow)
  const { origin } = url
  let access: Access = request.credentials ? 'sent' : 'none'
  let host = ''
  let hops = 0
  try {
    for (;;) {
      if (url.host !== host) await resources.acquireHost(url.host)
      host = url.host
      if (url.origin !== origin && access === 'sent') access = 'dropped'
      const response = await sendOnce(url, toHeaders(request, access), context, resources)
      const isLast = request.isS3 || !REDIRECT_STATUSES.has(response.statusCode)
      if (isLast) return { response, url, access }
      response.destroy()
      if (hops === MAX_REDIRECTS) throw tooManyRedirects()
      hops++
      url = checkUrl(redirectTarget(response, url).href, context.allow)
    }
  } catch (error) {
    const isRefusal = error instanceof FileError && error.code === 'address-refused'
    throw isRefusal && hops > 0 ? redirectRefused() : error
  }
}

function tooManyRedirects(): FileError {
  const message = `The address redirects more than ${MAX_REDIRECTS} times.`
  return new FileError('too-many-redirects', message)
}

function toHeaders({ etag, lastModified, credentials }: FetchRequest, access: Access) {
  return {
    'user-agent': 'Stockbridge/1 (+inventory feed fetcher)',
    accept: 'text/csv, text/plain;q=0.9, */*;q=0.5',
    'accept-encoding': 'gzip, identity',
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
    ...(credentials && access === 'sent' && { [credentials.name]: credentials.value }),
  }
}

/** Without an error, unlike Node's own way: whoever reads knows the signal's reason. */
function closeWith({ signal }: FetchResources, socket: Socket): Socket {
  if (signal.aborted) socket.destroy()
  else signal.addEventListener('abort', () => socket.destroy(), { once: true })
  return socket
}

async function sendOnce(
  url: URL,
  headers: Record<string, string>,
  context: FetchContext,
  resources: FetchResources,
): Promise<HttpResponse> {
  try {
    return await waitForAnswer(context, resources, async (signal) => {
      const socket = await connectGuarded(webEndpoint(url), toGuard(context, signal))
      return sendRequest(url, closeWith(resources, socket), headers)
    })
  } catch (error) {
    throw describeTransferFailure(error, 'response')
  }
}
