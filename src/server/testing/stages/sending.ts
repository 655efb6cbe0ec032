import { createHash } from 'node:crypto'

import type { SendRequest } from '../../files/send/send-request'
import type { SentBody } from '../../files/send/sending'

type Request = SendRequest & { signal: AbortSignal }

/** A request to send some content as `stock.csv`. */
export function requestOf(content: Buffer | string, request: Partial<Request> = {}): Request {
  const bytes = Buffer.from(content)
  return {
    address: '',
    fileName: 'stock.csv',
    mediaType: 'text/csv; charset=utf-8',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    method: 'PUT',
    idempotencyKey: 'dispatch-1',
    isRepeat: false,
    isTrial: false,
    signal: new AbortController().signal,
    ...request,
  }
}

/** The bytes of a file as they are read from a store. */
export const bodyOf = (content: Buffer | string, onPiece?: (at: number) => void): SentBody =>
  async function* body() {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      onPiece?.(at)
      yield bytes.subarray(at, at + PIECE_BYTES)
    }
  }

const PIECE_BYTES = 64 * 1024
