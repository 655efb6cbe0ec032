import type { Readable, Writable } from 'node:stream'

import { createGathered } from '../read/gather'

const LINE_FEED = 0x0a

/** Writes a message as one line of JSON. */
export function sendMessage(stream: Writable, message: unknown): void {
  stream.write(`${JSON.stringify(message)}\n`)
}

/**
 * Calls `onMessage` with each line's JSON as it comes.
 * @param maxBytes the longest line that is taken; a longer one, and one that is no JSON, is told to
 * `onBroken`, and nothing is read after it
 */
export function receiveMessages(
  stream: Readable,
  maxBytes: number,
  onMessage: (message: unknown) => void,
  onBroken: () => void,
): void {
  let gathered = createGathered()
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
    if (from < chunk.length) gathered.add(chunk.subarray(from))
    if (gathered.length() > maxBytes) stop()
  }
  /** @param rest what comes behind what was gathered of the line */
  function takeLine(rest: Buffer): boolean {
    let line = rest
    if (gathered.length() > 0) {
      gathered.add(rest)
      line = gathered.bytes()
      gathered = createGathered()
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
