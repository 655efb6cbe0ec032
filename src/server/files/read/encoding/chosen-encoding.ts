import { encodingLabel } from '../../../../shared/encodings'
import { FileError } from '../../file-error'
import { createCharsetDecoder } from './charsets'
import { type Encoding, type EncodingDetector, findByteOrderMark } from './encoding'

/**
 * The encoding that the supplier chose.
 * @param head the first bytes of the source
 * @throws FileError `wrong-choice` when they cannot be in that encoding
 */
export function toChosenEncoding(name: string, head: Uint8Array): Encoding {
  const mark = findByteOrderMark(head)
  if (mark && mark.name !== name) {
    const found = encodingLabel(mark.name)
    throw unfit(name, `the file begins with the byte order mark of ${found}`)
  }
  if (!mark && /^utf-(?:16|32)/.test(name) && !hasAscii(name, head)) {
    throw unfit(name, 'read in it, the file has no line ends and no delimiters')
  }
  return { name, bomLength: mark?.bomLength ?? 0, hasStrayBytes: false, isChosen: true }
}

/** Takes the place of the detector when the supplier chose an encoding. */
export function createChosenEncoding(name: string): EncodingDetector {
  let encoding: Encoding = { name, bomLength: 0, hasStrayBytes: false, isChosen: true }
  let isFirst = true
  return {
    push(chunk) {
      if (isFirst && chunk.length > 0) {
        isFirst = false
        encoding = toChosenEncoding(name, chunk)
      }
    },
    isUtf8: () => name === 'utf-8',
    detect: () => Promise.resolve(encoding),
  }
}

/** The refusal of a source that is not in the UTF-8 that was chosen. */
export function notUtf8(line?: number): FileError {
  const where = line === undefined ? 'it' : `line ${line}`
  return unfit('utf-8', `${where} has bytes that are not UTF-8`, line)
}

/** Without any character of ASCII, decoded text has neither line ends nor delimiters. */
function hasAscii(name: string, head: Uint8Array): boolean {
  const text = createCharsetDecoder(name).write(head)
  return head.length === 0 || /[\t\n\r -~]/.test(text)
}

function unfit(name: string, reason: string, line?: number): FileError {
  const message = `The chosen encoding, ${encodingLabel(name)}, does not fit: ${reason}.`
  return new FileError('wrong-choice', message, line === undefined ? {} : { line })
}
