import type { FileError } from '../../file-error'
import { createXmlParser } from '../xml-parser'
import { unescapeText } from './escapes'
import type { PackedTexts } from './packed-texts'
import { findPlainItems, type PlainItems } from './plain-items'
import { createTextCollector } from './text-collector'

/** Reads the items of shared texts. */
export interface SharedItems {
  /** @throws FileError */
  write(bytes: Buffer): void
  /** @throws FileError */
  end(): void
}

/** What waits for the end of its item. */
const MAX_WAITING_BYTES = 256 * 1024
const NOTHING = Buffer.alloc(0)
const OTHER_MARKUP = ['<!', '<?'].map((tag) => Buffer.from(tag))

/**
 * Parses items one by one, but those that are plain, which the parser need not see because they are whole elements
 * behind the end of another. Comments and what is like them may have end tags in them: from the first on, all is parsed.
 */
export function createSharedItems(
  texts: PackedTexts,
  damaged: (why: string) => FileError,
): SharedItems {
  const parser = createXmlParser(createItemHandler(texts), damaged)
  let plain: PlainItems | undefined
  let isBegun = false
  /** What of the waiting bytes is known to have nothing but elements. */
  let headBytes = 0
  let waiting = NOTHING

  function parseAll(bytes: Buffer): void {
    plain = undefined
    waiting = NOTHING
    parser.write(bytes)
  }

  function readItems(bytes: Buffer, { endTag, add }: PlainItems): void {
    for (let at = 0; ;) {
      at = add(bytes, at, texts)
      const end = bytes.indexOf(endTag, at)
      const isLong = end < 0 && bytes.length - at > MAX_WAITING_BYTES
      const item = bytes.subarray(at, end < 0 ? bytes.length : end + endTag.length)
      if (isLong || OTHER_MARKUP.some((tag) => item.includes(tag, headBytes))) {
        parseAll(bytes.subarray(at))
        return
      }
      if (end < 0) {
        waiting = Buffer.from(item)
        return
      }
      parser.write(item)
      headBytes = 0
      at += item.length
    }
  }

  return {
    write(chunk) {
      if (!isBegun) {
        isBegun = true
        plain = findPlainItems(chunk)
        headBytes = plain?.start ?? 0
      }
      if (plain) readItems(waiting.length > 0 ? Buffer.concat([waiting, chunk]) : chunk, plain)
      else parser.write(chunk)
    },
    end() {
      parseAll(waiting)
    },
  }
}

function createItemHandler(texts: PackedTexts) {
  const collector = createTextCollector()
  return {
    open(name: string) {
      if (name === 'si') collector.start()
      else collector.open(name)
    },
    close(name: string) {
      if (name === 'si') texts.add(unescapeText(collector.take(), null))
      else collector.close(name)
    },
    text: (text: string) => collector.add(text, null),
  }
}
