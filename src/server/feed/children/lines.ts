import type { Readable, Writable } from 'node:stream'

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
  let parts: Buffer[] = []
  let length = 0
  const stop = () => {
    stream.off('data', take)
    stream.resume()
    onBroken()
  }
  function take(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      parts.push(chunk.subarray(from, at))
      length += at - from
      from = at + 1
      if (length > maxBytes || !parse()) return stop()
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxBytes) stop()
  }
  function parse(): boolean {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return false
    }
    onMessage(message)
    return true
  }
  stream.on('data', take)
}
