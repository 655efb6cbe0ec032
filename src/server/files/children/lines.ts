import type { Readable, Writable } from 'node:stream'

import { createGrowableBuffer } from '../growable-buffer'
import { notePassedBytes } from './passed-bytes'

const LINE_FEED = 0x0a
const NO_BYTES: readonly Buffer[] = []

/**
 * Writes a message as one line of JSON. Bytes that belong to it follow the line, which then says how many
 * they are; they must not change afterwards. Messages that are sent at once go together, since each would wake the
 * other side.
 */
export function sendMessage(
  stream: Writable,
  message: object,
  bytes: readonly Uint8Array[] = NO_BYTES,
): void {
  const length = bytes.reduce((sum, { byteLength }) => sum + byteLength, 0)
  stream.cork()
  stream.write(`${JSON.stringify(length === 0 ? message : { ...message, bytes: length })}\n`)
  for (const piece of bytes) if (piece.byteLength > 0) stream.write(piece)
  process.nextTick(() => stream.uncork())
  notePassedBytes(length)
}

/** The longest line, and the most bytes after one. */
export type MessageLimits = { lineBytes: number; payloadBytes: number }

/**
 * Calls `onMessage` with the parsed JSON of each line as it arrives, and with the bytes that follow it, in
 * pieces as they have arrived. They are not used again.
 * @param limits after a message beyond them, or a line that is not JSON, `onBroken` is called once and nothing
 * more is read
 */
export function receiveMessages(
  stream: Readable,
  limits: MessageLimits,
  onMessage: (message: unknown, bytes: readonly Buffer[]) => void,
  onBroken: () => void,
): void {
  const createLine = () => createGrowableBuffer(Buffer.allocUnsafeSlow)
  let line = createLine()
  let payload: { message: unknown; pieces: Buffer[]; missing: number } | undefined
  const stop = () => {
    stream.off('data', take)
    stream.resume()
    onBroken()
  }
  function take(chunk: Buffer): void {
    notePassedBytes(chunk.length)
    for (let rest = chunk; rest.length > 0;) {
      const taken = payload ? takePayload(rest) : takeLine(rest)
      if (taken === BROKEN) return stop()
      rest = rest.subarray(taken)
    }
  }
  function takePayload(chunk: Buffer): number {
    const { message, pieces } = payload!
    const taken = Math.min(payload!.missing, chunk.length)
    pieces.push(chunk.subarray(0, taken))
    payload!.missing -= taken
    if (payload!.missing > 0) return taken
    payload = undefined
    onMessage(message, pieces)
    return taken
  }
  /** Takes the rest of a line, or what there is of it. */
  function takeLine(chunk: Buffer): number {
    const end = chunk.indexOf(LINE_FEED)
    if (line.length() + (end < 0 ? chunk.length : end) > limits.lineBytes) return BROKEN
    if (end < 0) {
      line.append(chunk)
      return chunk.length
    }
    let whole = chunk.subarray(0, end)
    if (line.length() > 0) {
      line.append(whole)
      whole = line.bytes()
      line = createLine()
    }
    return parseLine(whole) ? end + 1 : BROKEN
  }
  function parseLine(text: Buffer): boolean {
    let message: unknown
    try {
      message = JSON.parse(text.toString('utf8'))
    } catch {
      return false
    }
    const length = lengthOf(message)
    if (length > limits.payloadBytes) return false
    if (length > 0) payload = { message, pieces: [], missing: length }
    else onMessage(message, NO_BYTES)
    return true
  }
  stream.on('data', take)
}

const BROKEN = -1

/** How many bytes follow a message; infinite when that is no number of bytes. */
function lengthOf(message: unknown): number {
  if (typeof message !== 'object' || message === null || !('bytes' in message)) return 0
  const { bytes } = message
  return Number.isSafeInteger(bytes) && (bytes as number) >= 0 ? (bytes as number) : Infinity
}
