import type { Readable, Writable } from 'node:stream'

import { createGrowableBuffer } from '../read/scan/growable-buffer'

const LINE_FEED = 0x0a

/** Writes a message as one line of JSON. */
export function sendMessage(stream: Writable, message: unknown): void {
  stream.write(`${JSON.stringify(message)}\n`)
}

/**
 * Calls `onMessage` with the parsed JSON of each line as it arrives.
 * @param maxBytes the longest accepted line; after a longer one, or one that is not JSON, `onBroken`
 * is called once and nothing more is read
 */
export function receiveMessages(
  stream: Readable,
  maxBytes: number,
  onMessage: (message: unknown) => void,
  onBroken: () => void,
): void {
  let buffer = createGrowableBuffer()
  const stop = () => {
    stream.off('data', take)
    stream.resume()
    onBroken()
  }
  function take(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const isTaken = takeLine(chunk.subarray(from, at))
      if (!isTaken) return stop()
      from = at + 1
    }
    if (from < chunk.length) buffer.append(chunk.subarray(from))
    if (buffer.length() > maxBytes) stop()
  }
  /** @param rest what follows the buffered beginning of the line */
  function takeLine(rest: Buffer): boolean {
    let line = rest
    if (buffer.length() > 0) {
      buffer.append(rest)
      line = buffer.bytes()
      buffer = createGrowableBuffer()
    }
    if (line.length > maxBytes) return false
    let message: unknown
    try {
      message = JSON.parse(line.toString('utf8'))
    } catch {
      return false
    }
    onMessage(message)
    return true
  }
  stream.on('data', take)
}
