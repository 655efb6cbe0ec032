/** Collects a text as a browser shows it. */
export interface ShownText {
  add(text: string): void
  /** A new line, as by `<br>`. */
  newLine(): void
  /** Begins or ends a paragraph, which stands on lines of its own. */
  paragraph(): void
  /** Whether there was more than can be kept; then nothing is. */
  isTooLong(): boolean
  /** The text, without blanks at its ends. */
  take(): string
}

/** Blanks of which several are shown as one; not those that keep words together. */
const BLANKS = /[ \t\n\r\f]+/g
const SEVERAL_BLANKS = /[\t\n\r\f]| {2}/
const NO_BREAK_SPACE = '\u00a0'

export function createShownText(maxCharacters: number): ShownText {
  let shown = ''
  let isTooLong = false
  let isAtLineStart = true
  /** What stands before the next text, if it stands there at all. */
  let hasBlank = false
  let isNewParagraph = false

  function append(text: string): void {
    if (isTooLong) return
    shown += text
    if (shown.length > maxCharacters) {
      isTooLong = true
      shown = ''
    }
  }

  function newLine(): void {
    append('\n')
    isAtLineStart = true
    hasBlank = false
  }

  return {
    add(text) {
      if (isTooLong) return
      const piece = SEVERAL_BLANKS.test(text) ? text.replace(BLANKS, ' ') : text
      const start = piece.startsWith(' ') ? 1 : 0
      if (start === 1) hasBlank = true
      if (start === piece.length) return
      const end = piece.endsWith(' ') ? piece.length - 1 : piece.length
      if (isNewParagraph && !isAtLineStart) newLine()
      if (hasBlank && !isAtLineStart) append(' ')
      append(piece.slice(start, end))
      isNewParagraph = false
      isAtLineStart = false
      hasBlank = end < piece.length
    },
    newLine,
    paragraph() {
      isNewParagraph = true
    },
    isTooLong: () => isTooLong,
    take() {
      if (shown === '' && !isTooLong && !hasBlank && !isNewParagraph) return ''
      const text = shown.replaceAll(NO_BREAK_SPACE, ' ').trim()
      shown = ''
      isTooLong = hasBlank = isNewParagraph = false
      isAtLineStart = true
      return text
    },
  }
}
