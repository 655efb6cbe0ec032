import { addAbortSignal } from 'node:stream'

import { connectGuarded } from '../../fetch/address-guard'
import { checkUrl, webEndpoint } from '../../fetch/address-rules'
import { describeConnectFailure } from '../../fetch/connect-failure'
import { type FetchResources, toGuard } from '../../fetch/fetch-context'
import { atWebAddress } from '../destination-address'
import type { SendContext, SendToScheme } from '../send-context'
import type { SendRequest } from '../send-request'
import { tellSteps } from '../steps'
import { describeRefusal, readToEnd, showStatus } from './http-answer'
import { type Upload, upload, type UploadAnswer } from './http-upload'

const EXPECTATION_FAILED = 417

/** Sends a file to a web address. No redirect is followed: whoever is at its end was not chosen. */
export const sendOverHttp: SendToScheme = async (request, body, context, resources) => {
  const url = checkUrl(atWebAddress(request.address, request.fileName), context.allow)
  await resources.acquireHost(url.host)
  const toSend = { url, method: request.method, headers: toHeaders(request), body }
  const answer = await sendOnce(toSend, context, resources)
  const { response } = answer
  if (response.statusCode < 200 || response.statusCode >= 300) {
    response.destroy()
    throw describeRefusal(response, { url, request, now: context.now() })
  }
  await readToEnd(response)
  const status = showStatus(response.statusCode)
  return {
    text: request.isTrial
      ? tellSteps([
          'connected',
          `${request.fileName} was sent and the server answered ${status}`,
          'it cannot be taken away again from here, and was marked as a trial',
        ])
      : `The server answered ${status}.`,
  }
}

/** Sends a request over a connection of its own, once more without asking where the server knows no such question. */
export async function sendOnce(
  request: Upload,
  context: SendContext,
  resources: FetchResources,
): Promise<UploadAnswer> {
  const answer = await sendOver(request, context, resources)
  const { expect, ...headers } = request.headers
  if (answer.isBegun || answer.response.statusCode !== EXPECTATION_FAILED || !expect) return answer
  answer.response.destroy()
  return sendOver({ ...request, headers }, context, resources)
}

async function sendOver(
  request: Upload,
  context: SendContext,
  { signal }: FetchResources,
): Promise<UploadAnswer> {
  const socket = await connectGuarded(webEndpoint(request.url), toGuard(context, signal)).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw describeConnectFailure(error)
    },
  )
  // Pieces are large, and the last of them is waited for.
  socket.setNoDelay(true)
  return upload(request, addAbortSignal(signal, socket), context, signal)
}

export const USER_AGENT = 'Stockbridge/1 (+inventory delivery)'

function toHeaders(request: SendRequest): Upload['headers'] {
  const { fileName, mediaType, sizeBytes, sha256, idempotencyKey, credentials } = request
  return {
    'user-agent': USER_AGENT,
    'content-type': mediaType,
    'content-length': sizeBytes,
    'content-disposition': toDisposition(fileName),
    'content-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    'idempotency-key': idempotencyKey,
    expect: '100-continue',
    ...(request.isRepeat && { 'stockbridge-repeat': 'true' }),
    ...(request.isTrial && { 'stockbridge-trial': 'true' }),
    ...(credentials && { [credentials.name]: credentials.value }),
  }
}

/** With all characters as RFC 8187 writes them, and without the others for servers that do not know of it. */
function toDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^ -~]|["\\]/g, '_')
  if (plain === fileName) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
