import { performance } from 'node:perf_hooks'

import { FileError } from '../file-error'
import { limitBytes, peek, tooLarge } from './body-limits'
import { describeTransferFailure } from './connect-failure'
import { compressionOf, SIGNATURE_BYTES } from './decompress'
import type { FetchContext, FetchResources } from './fetch-context'
import { type FetchedContent, toBody } from './fetched-content'
import { enforceMinimumSpeed } from './minimum-speed'

/** What is known of a file before its bytes. */
export type FileFacts = Omit<FetchedContent, 'kind' | 'body' | 'compression'> & {
  /** Whether it is said to be compressed with gzip. */
  isEncoded?: boolean
}

/**
 * Reads a file as it arrives: enforces the minimum speed, limits the size. Waits for the first bytes, which show how
 * the file is compressed, whatever its server says.
 * @throws FileError
 */
export async function openContent(
  source: AsyncIterable<Buffer>,
  { isEncoded = false, ...facts }: FileFacts,
  { maxBytes, timeouts }: FetchContext,
  { signal, release }: FetchResources,
): Promise<FetchedContent> {
  const { expectedBytes } = facts
  if (expectedBytes !== null && expectedBytes > maxBytes) throw tooLarge(maxBytes)
  const now = () => performance.now()
  const raw = await peek(
    withTransferErrors(enforceMinimumSpeed(source, timeouts, signal, now), signal),
    SIGNATURE_BYTES,
  )
  const compression = compressionOf(raw.head)
  if (isEncoded && compression !== 'gzip' && raw.head.length > 0) throw notCompressed()
  return {
    kind: 'content',
    ...facts,
    body: toBody(limitBytes(raw.all, maxBytes), release),
    compression,
    expectedBytes: compression === 'none' ? expectedBytes : null,
  }
}

function notCompressed(): FileError {
  return new FileError(
    'gzip-damaged',
    'The server says that the file is compressed with gzip, but it is not.',
  )
}

async function* withTransferErrors(
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    throw signal.aborted ? signal.reason : describeTransferFailure(error, 'body')
  }
}
