const MARK = Buffer.from('\uFEFF')

/** Takes the byte order mark from the beginning of a file, behind which quotes could not be read. */
export interface MarkSkipper {
  /** Returns what is to be read of the next chunk. */
  read(chunk: Buffer): Buffer
  /** The bytes of the mark; 0 for a file without one. */
  length(): number
}

export function createMarkSkipper(): MarkSkipper {
  let found = 0
  let isOver = false
  return {
    read(chunk) {
      let at = 0
      while (!isOver && at < chunk.length) {
        if (chunk[at] !== MARK[found]) break
        at++
        found++
        isOver = found === MARK.length
      }
      if (isOver || at === chunk.length) return chunk.subarray(at)
      isOver = true
      if (found === 0) return chunk
      const other = Buffer.concat([MARK.subarray(0, found), chunk.subarray(at)])
      found = 0
      return other
    },
    length: () => (found === MARK.length ? found : 0),
  }
}
