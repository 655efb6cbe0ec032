import { FileError, type FileErrorCode } from '../../file-error'
import { displayCell } from '../scan/display-cell'

/** Finds the text of the line that an error names, and counts the lines that have the same error. */
export interface BadLines {
  /** Takes the decoded text of the source, part by part. */
  read(text: Uint8Array): void
  add(code: FileErrorCode, line: number): void
  /** @param isWhole whether the whole source has been read */
  explain(isWhole: boolean): FileError
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SHOWN_CHARACTERS = 100
/** UTF-8 takes at most this many bytes for each UTF-16 code unit; one character more shows that it is cut. */
const MAX_BYTES = 3 * (SHOWN_CHARACTERS + 1)

export function createBadLines({ code, line, message, cause }: FileError): BadLines {
  const bytes = Buffer.alloc(MAX_BYTES)
  let length = 0
  let atLine = 1
  let isAfterReturn = false
  let count = 0
  let lastCounted = 0

  const takeByte = (byte: number) => {
    const isSecondOfPair = byte === LINE_FEED && isAfterReturn
    isAfterReturn = byte === CARRIAGE_RETURN
    if (isSecondOfPair) return
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) atLine++
    else if (atLine === line && length < MAX_BYTES) bytes[length++] = byte
  }
  const isPast = () => atLine > (line ?? 0)
  return {
    read(text) {
      for (let at = 0; at < text.length && !isPast(); at++) takeByte(text[at] as number)
    },
    add(found, at) {
      // A line may have several bad quotes.
      if (found !== code || at === lastCounted) return
      lastCounted = at
      count++
    },
    explain(isWhole) {
      const text = displayCell(
        bytes.toString('utf8', 0, length).replace(/[\p{Cc}\p{Bidi_C}]/gu, ' '),
        SHOWN_CHARACTERS,
      )
      const shown = text === '' ? message : `${message.replace(/\.$/, '')}: “${text}”.`
      const number = isWhole ? `${count}` : `At least ${count}`
      const others = count > 1 ? ` ${number} lines are like this.` : ''
      return new FileError(code, shown + others, { line, cause })
    },
  }
}
