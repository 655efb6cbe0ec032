import type { FileError } from '../../file-error'

/** What is told of a JSON text, which may have several documents. */
export interface JsonHandler {
  openObject(): void
  closeObject(): void
  openArray(): void
  closeArray(): void
  key(name: string): void
  string(text: string): void
  /** A number as it is written, `true`, `false` or `null`. */
  scalar(text: string): void
}

/** Reads JSON piece by piece, strictly; nothing of it is kept. */
export interface JsonParser {
  /** @throws FileError */
  write(text: string): void
  /** @throws FileError for a document that is not complete */
  end(): void
  /** How many texts have halves of characters, which were replaced. */
  halves(): number
  /** The line and the character that is read. */
  place(): { line: number; character: number }
}

interface JsonErrors {
  damaged: (why: string) => FileError
  truncated: () => FileError
}

const MAX_DEPTH = 256
const MAX_TOKEN_CHARACTERS = 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const NEWLINE = 0x0a
const BYTE_ORDER_MARK = 0xfeff
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]
const [COMMA, COLON] = [0x2c, 0x3a]

/** What may come next. */
type Expected =
  | 'document'
  | 'value'
  | 'value or end'
  | 'key'
  | 'key or end'
  | 'colon'
  | 'comma or end'

/** The token that the last piece broke off in. */
type Token = 'none' | 'string' | 'scalar'

const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/

/** @param maxDocuments how many there may be: objects and lists, or other values of which each begins on a new line */
export function createJsonParser(
  handler: JsonHandler,
  { damaged, truncated }: JsonErrors,
  maxDocuments: number,
): JsonParser {
  /** Whether the open containers are objects, the innermost last. */
  const containers: boolean[] = []
  let expected: Expected = 'document'
  let token: Token = 'none'
  /** What of the token was in earlier pieces. */
  let begun = ''
  let hasEscapes = false
  let isEscaped = false
  let halves = 0
  let documents = 0
  let isNewLine = true
  let line = 1
  /** Characters before the piece, and the place in it. */
  let before = 0
  let at = 0

  /** Goes on after a value. */
  function afterValue(): void {
    expected = containers.length === 0 ? 'document' : 'comma or end'
    if (containers.length === 0) isNewLine = false
  }

  function beginValue(isContainer = false): void {
    if (expected === 'document') {
      if (documents >= maxDocuments) throw damaged('it has more after its end')
      if (!isNewLine && !isContainer) throw damaged('its documents are not on lines of their own')
      documents++
    } else if (expected !== 'value' && expected !== 'value or end') throw unexpected()
  }

  function open(isObject: boolean): void {
    beginValue(true)
    if (containers.length >= MAX_DEPTH) throw damaged('it is nested too deeply')
    containers.push(isObject)
    if (isObject) handler.openObject()
    else handler.openArray()
    expected = isObject ? 'key or end' : 'value or end'
  }

  function close(isObject: boolean): void {
    const isEmpty = expected === (isObject ? 'key or end' : 'value or end')
    if (containers.at(-1) !== isObject || !(isEmpty || expected === 'comma or end')) {
      throw unexpected()
    }
    containers.pop()
    if (isObject) handler.closeObject()
    else handler.closeArray()
    afterValue()
  }

  function comma(): void {
    if (expected !== 'comma or end') throw unexpected()
    expected = containers.at(-1) === true ? 'key' : 'value'
  }

  function colon(): void {
    if (expected !== 'colon') throw unexpected()
    expected = 'value'
  }

  const unexpected = () =>
    damaged(
      expected === 'key' || expected === 'value'
        ? 'a value is missing after a comma or colon'
        : 'it is not valid JSON',
    )

  /** Reads a string from behind its opening quote, and returns where it ends. */
  function readString(text: string, start: number): number {
    let index = start
    if (isEscaped) {
      isEscaped = false
      index++
    }
    while (index < text.length) {
      const code = text.charCodeAt(index)
      if (code === QUOTE) {
        endString(begun + text.slice(start, index))
        return index + 1
      }
      if (code === BACKSLASH) {
        hasEscapes = true
        index += 2
      } else if (code < SPACE) {
        throw damaged('a text has a line break or another control character')
      } else index++
    }
    // The character that a backslash stands before may come in the next piece.
    isEscaped = index > text.length
    keep(text.slice(start))
    return text.length
  }

  function endString(written: string): void {
    const text = hasEscapes ? whole(unescape(written)) : written
    token = 'none'
    begun = ''
    hasEscapes = false
    if (expected === 'key' || expected === 'key or end') {
      handler.key(text)
      expected = 'colon'
    } else {
      handler.string(text)
      afterValue()
    }
  }

  /** Programs that shorten texts write half a character: `\ud83d`. */
  function whole(text: string): string {
    if (text.isWellFormed()) return text
    halves++
    return text.toWellFormed()
  }

  function unescape(written: string): string {
    try {
      return JSON.parse(`"${written}"`) as string
    } catch {
      throw damaged('a text has a backslash with nothing that may follow it')
    }
  }

  /** Reads a number or a word, and returns where it ends. */
  function readScalar(text: string, start: number): number {
    let index = start
    while (index < text.length && isScalarCode(text.charCodeAt(index))) index++
    if (index === text.length) keep(text.slice(start))
    else endScalar(begun + text.slice(start, index))
    return index
  }

  function endScalar(text: string): void {
    token = 'none'
    begun = ''
    if (!SCALAR.test(text)) throw damaged('it is not valid JSON')
    handler.scalar(text)
    afterValue()
  }

  function keep(piece: string): void {
    begun += piece
    if (begun.length > MAX_TOKEN_CHARACTERS) throw damaged('one of its texts is too long')
  }

  function beginString(): void {
    if (expected !== 'key' && expected !== 'key or end') beginValue()
    token = 'string'
  }

  return {
    write(text) {
      for (at = 0; at < text.length;) {
        if (token === 'string') at = readString(text, at)
        else if (token === 'scalar') at = readScalar(text, at)
        else {
          const code = text.charCodeAt(at)
          switch (code) {
            case QUOTE:
              beginString()
              at++
              break
            case COMMA:
              comma()
              at++
              break
            case COLON:
              colon()
              at++
              break
            case OPEN_OBJECT:
            case OPEN_ARRAY:
              open(code === OPEN_OBJECT)
              at++
              break
            case CLOSE_OBJECT:
            case CLOSE_ARRAY:
              close(code === CLOSE_OBJECT)
              at++
              break
            case NEWLINE:
              line++
              isNewLine = true
              at++
              break
            case SPACE:
            case 0x09:
            case 0x0d:
              at++
              break
            case BYTE_ORDER_MARK:
              if (before + at > 0) throw damaged('it is not valid JSON')
              at++
              break
            default:
              beginValue()
              token = 'scalar'
          }
        }
      }
      before += text.length
      at = 0
    },
    end() {
      if (token === 'scalar') endScalar(begun)
      if (token === 'string' || containers.length > 0) throw truncated()
      if (documents === 0) throw damaged('it is empty')
    },
    halves: () => halves,
    place: () => ({ line, character: before + at + 1 }),
  }
}

/** What numbers and words consist of; anything else ends them. */
const isScalarCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2e ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x45
