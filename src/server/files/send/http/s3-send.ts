import { checkUrl } from '../../fetch/address-rules'
import type { FetchResources } from '../../fetch/fetch-context'
import { describeS3Refusal } from '../../fetch/http/s3-refusal'
import { FileError } from '../../file-error'
import type { SendContext, SendToScheme } from '../send-context'
import { tellArrival, tellRemoval, tellSteps } from '../steps'
import { readToEnd } from './http-answer'
import { sendOnce, USER_AGENT } from './http-send'
import type { Upload } from './http-upload'

/** Sends a file to a bucket, under its final name: a bucket shows a file only once it has all of it. */
export const sendToBucket: SendToScheme = async (request, body, context, resources) => {
  const { signed, fileName, mediaType, sizeBytes, isTrial } = request
  if (!signed) throw new FileError('bad-address', 'The address of the bucket is not complete.')
  const url = checkUrl(signed.putUrl, context.allow)
  await resources.acquireHost(url.host)
  const headers = {
    'user-agent': USER_AGENT,
    'content-type': mediaType,
    'content-length': sizeBytes,
    expect: '100-continue',
    ...Object.fromEntries(signed.putHeaders.map(({ name, value }) => [name, value])),
  }
  await ask({ url, method: 'PUT', headers, body }, context, resources)
  if (!isTrial) return { text: tellSteps([tellArrival(fileName, sizeBytes)]) }
  const at = checkUrl(signed.deleteUrl, context.allow)
  const toDelete = { url: at, method: 'DELETE', headers: { 'user-agent': USER_AGENT } }
  const isRemoved = await unlessRefused(ask(toDelete, context, resources))
  return {
    text: tellSteps([
      'connected',
      'the key pair is accepted',
      `${fileName} was written`,
      tellRemoval(isRemoved, 'key pair'),
    ]),
  }
}

async function ask(request: Upload, context: SendContext, resources: FetchResources) {
  const { response } = await sendOnce(request, context, resources)
  if (response.statusCode < 200 || response.statusCode >= 300) {
    const reached = { response, url: request.url, access: 'sent' as const }
    try {
      throw await describeS3Refusal(reached, context.now(), 'written')
    } finally {
      response.destroy()
    }
  }
  await readToEnd(response)
}

/** Whether it was done; a key pair that may not do it is no fault. */
const unlessRefused = (work: Promise<void>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof FileError && error.code === 'http-status') return false
      throw error
    },
  )
