const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = '0\r\n\r\n'

/** Finds the ends of the responses on one connection, as far as the measured servers need it. */
export type ResponseReader = {
  /** @returns the status, once a response is complete; no bytes may follow it */
  read(bytes: Uint8Array): number | undefined
}

export function createResponseReader(): ResponseReader {
  let head: Buffer = Buffer.alloc(0)
  let isInBody = false
  let isChunked = false
  let status = 0
  let remaining = 0
  let tail = ''

  const end = () => {
    head = Buffer.alloc(0)
    isInBody = false
    tail = ''
    return status
  }
  const readBody = (bytes: Uint8Array) => {
    remaining -= bytes.length
    if (!isChunked) return remaining <= 0 ? end() : undefined
    tail = (tail + Buffer.from(bytes.subarray(-LAST_CHUNK.length)).toString('latin1')).slice(
      -LAST_CHUNK.length,
    )
    return tail === LAST_CHUNK ? end() : undefined
  }
  return {
    read(bytes) {
      if (isInBody) return readBody(bytes)
      const start =
        head.length > 0
          ? Buffer.concat([head, bytes])
          : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      const headEnd = start.indexOf(HEAD_END)
      if (headEnd === -1) {
        // Copied, because the caller uses the memory again.
        head = Buffer.from(start)
        return undefined
      }
      const text = start.subarray(0, headEnd).toString('latin1')
      status = Number(text.slice(9, 12))
      isChunked = /^transfer-encoding: *chunked/im.test(text)
      remaining = status === 304 ? 0 : Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0)
      isInBody = true
      return readBody(start.subarray(headEnd + HEAD_END.length))
    },
  }
}
