const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22

/** Enough to see how lines are aligned. */
const EXAMINED_BYTES = 64 * 1024

/** What the runs of blanks between cells become. */
export const BLANK_RUN_DELIMITER = '\t'

/**
 * Creates a function that converts text in which blanks separate cells, as in tables of fixed widths:
 * each run of at least `gap` blanks becomes a tab, except in quotes and at the ends of a line. A tab is
 * as good as two blanks.
 */
export function createBlankRunConverter(gap: number): (text: Uint8Array) => Buffer {
  let isLineStart = true
  let isQuoted = false
  let run = 0
  return (text) => {
    // A run that began in the chunk before adds at most `gap` bytes.
    const converted = Buffer.allocUnsafeSlow(text.length + gap)
    let length = 0
    const endRun = () => {
      if (run >= gap) converted[length++] = TAB
      else for (; run > 0; run--) converted[length++] = SPACE
      run = 0
    }
    for (const byte of text) {
      if ((byte === SPACE || byte === TAB) && !isQuoted) {
        if (!isLineStart) run += byte === TAB ? gap : 1
        continue
      }
      isLineStart = byte === LINE_FEED || byte === CARRIAGE_RETURN
      if (isLineStart) run = 0
      else endRun()
      isQuoted = isLineStart ? false : isQuoted !== (byte === QUOTE)
      converted[length++] = byte
    }
    return converted.subarray(0, length)
  }
}

/** One blank between cells might be one between words, unless most lines are aligned with more. */
const ALIGNED_SHARE = 0.5
const EXAMINED_LINES = 200

/** How many blanks may separate the cells of a table: the surer numbers first, none for text. */
export function listGaps(text: Buffer): number[] {
  const lines = text
    .toString('latin1', 0, EXAMINED_BYTES)
    .split(/[\r\n]+/, EXAMINED_LINES)
    .filter((line) => line.trim() !== '')
  const aligned = lines.filter((line) => / {2}|\t/.test(line.trim()))
  if (aligned.length === 0) return []
  return aligned.length >= ALIGNED_SHARE * lines.length ? [2, 1] : [2]
}
