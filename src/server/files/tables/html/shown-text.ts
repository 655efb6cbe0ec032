/** Collects a text as a browser shows it. */
export interface ShownText {
  add(text: string): void
  /** A new line, as by `<br>`. */
  newLine(): void
  /** Says that what follows is struck out, or no longer is: then it only counts if there is nothing else. */
  strike(isStruck: boolean): void
  /** Says that what follows is raised or lowered, as the 2 of m² is. */
  raise(): void
  /** An image with the text that stands for it. */
  image(text: string): void
  /** What of the text is not as it is shown; null if all is. */
  facts(): TextFacts | null
  /** Begins or ends a paragraph, which stands on lines of its own. */
  paragraph(): void
  /** Whether there was more than can be kept; then nothing is. */
  isTooLong(): boolean
  /** The text, without blanks at its ends. */
  take(): string
}

export interface TextFacts {
  /** Whether something that was struck out is not in the text. */
  isStruck: boolean
  /** Whether all of it was struck out. */
  isStruckAlone: boolean
  /** Whether raised or lowered digits stand at digits. */
  isRaised: boolean
  /** Whether there is only an image. */
  isImage: boolean
}

/** Blanks of which several are shown as one; not those that keep words together. */
const BLANKS = /[ \t\n\r\f]+/g
const SEVERAL_BLANKS = /[\t\n\r\f]| {2}/
/** A tab between words is a part of the data; others are how the document is laid out. */
const toShown = (blanks: string, at: number, text: string): string =>
  blanks === '\t' && at > 0 && at < text.length - 1 ? blanks : ' '
const NO_BREAK_SPACE = '\u00a0'

export function createShownText(maxCharacters: number): ShownText {
  let shown = ''
  let isTooLong = false
  let isAtLineStart = true
  /** What stands before the next text, if it stands there at all. */
  let hasBlank = false
  let isNewParagraph = false
  let isStruck = false
  let struck = ''
  let isBeforeRaised = false
  let isRaised = false
  let images = ''
  let hasImage = false

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
      if (isStruck) {
        if (struck.length + text.length <= maxCharacters) struck += text
        hasBlank = true
        return
      }
      const piece = SEVERAL_BLANKS.test(text) ? text.replace(BLANKS, toShown) : text
      const start = piece.startsWith(' ') ? 1 : 0
      if (start === 1) hasBlank = true
      if (start === piece.length) return
      const end = piece.endsWith(' ') ? piece.length - 1 : piece.length
      if (isNewParagraph && !isAtLineStart) newLine()
      if (hasBlank && !isAtLineStart) append(' ')
      if (isBeforeRaised) {
        isBeforeRaised = false
        isRaised ||= /\d$/.test(shown) && /^\d/.test(piece)
      }
      append(piece.slice(start, end))
      isNewParagraph = false
      isAtLineStart = false
      hasBlank = end < piece.length
    },
    newLine,
    paragraph() {
      isNewParagraph = true
    },
    strike(isNow) {
      isStruck = isNow
    },
    raise() {
      isBeforeRaised = true
    },
    image(text) {
      hasImage = true
      if (images === '') images = text.slice(0, maxCharacters)
    },
    facts() {
      if (struck === '' && !isRaised && !hasImage) return null
      const hasStruck = struck.trim() !== ''
      return {
        isStruck: hasStruck && shown !== '',
        isStruckAlone: hasStruck && shown === '',
        isRaised,
        isImage: hasImage && shown === '' && struck === '',
      }
    },
    isTooLong: () => isTooLong,
    take() {
      if (shown === '' && !isTooLong && !hasBlank && !isNewParagraph && !hasImage) return ''
      const text = (shown || struck || images).replaceAll(NO_BREAK_SPACE, ' ').trim()
      shown = struck = images = ''
      isTooLong =
        hasBlank =
        isNewParagraph =
        isStruck =
        isBeforeRaised =
        isRaised =
        hasImage =
          false
      isAtLineStart = true
      return text
    },
  }
}
