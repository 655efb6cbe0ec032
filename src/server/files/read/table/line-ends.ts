const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Whether all records end alike, with LF or CRLF; a record without a line end fits both. */
export interface LineEndCheck {
  /** @param end where the record ends in `bytes` */
  add(bytes: Buffer, end: number): void
  areAlike(): boolean
}

/** Other readers take all line ends to be like the first one, and some a bare CR for text. */
export function createLineEndCheck(): LineEndCheck {
  let first: 'LF' | 'CRLF' | undefined
  let areAlike = true
  return {
    areAlike: () => areAlike,
    add(bytes, end) {
      const last = bytes[end - 1]
      if (last === CARRIAGE_RETURN) areAlike = false
      if (last !== LINE_FEED) return
      const found = bytes[end - 2] === CARRIAGE_RETURN ? 'CRLF' : 'LF'
      first ??= found
      if (first !== found) areAlike = false
    },
  }
}
