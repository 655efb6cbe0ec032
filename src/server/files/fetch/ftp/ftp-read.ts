import { PassThrough } from 'node:stream'

import { type FetchContext, type FetchResources, waitForAnswer } from '../fetch-context'
import { openDataConnection } from './data-connection'
import { describeReadFailure } from './ftp-failures'
import type { FtpSession } from './ftp-session'

/**
 * The bytes of a file; ends once the server has confirmed that these are all.
 * @throws FileError
 */
export async function* readFtpFile(
  session: FtpSession,
  path: string,
  context: FetchContext,
  resources: FetchResources,
): AsyncGenerator<Buffer> {
  const { client, allowsOld } = session
  const body = new PassThrough()
  client.prepareTransfer = () => openDataConnection(session, context, resources)
  const transfer = client.downloadTo(body, path).catch((error: unknown) => {
    const failure = describeReadFailure(error, allowsOld)
    body.destroy(failure)
    throw failure
  })
  // It may fail before anybody waits for it.
  transfer.catch(() => undefined)
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    // It says more of what went wrong than the bytes that did not come.
    await transfer
    throw error
  } finally {
    body.destroy()
  }
  await waitForAnswer(context, resources, () => transfer)
}
