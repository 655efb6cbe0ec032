import { Tokenizer } from 'htmlparser2'

import type { FileError } from '../../file-error'

/** What is told of a document. Names are in lower case; nothing is made of how tags are nested. */
export interface TagHandler {
  /** @param attributes those of `ATTRIBUTES` and names of namespaces, of this tag until the next one */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
  comment(text: string): void
}

export type Attributes = ReadonlyMap<string, string>

/** Reads a document piece by piece; nothing of it is kept. */
export interface TagReader {
  /** @throws FileError */
  write(text: string): void
  end(): void
}

/** What is read of tags. */
const ATTRIBUTES = new Set(
  'alt aria-label checked class colspan content disabled hidden name rel rowspan sdnum sdval span style title type value x:err x:num x:str'.split(
    ' ',
  ),
)
const MAX_ATTRIBUTES = 1_000
/** Of a single tag, text or comment. */
const MAX_TOKEN_CHARACTERS = 1024 * 1024

/**
 * Reads tags as they come, as browsers do, whether they fit each other or not. With a stack of them, tags that are
 * never closed would take memory and time.
 * @param damaged makes the error for a document that cannot be read
 */
export function createTagReader(
  handler: TagHandler,
  damaged: (why: string) => FileError,
): TagReader {
  /** What has been written, from the end of the last token on, and where that is in the document. */
  let text = ''
  let start = 0
  let done = 0
  let tag = ''
  let attribute = ''
  let value = ''
  let isRead = false
  let count = 0
  const attributes = new Map<string, string>()

  function take(from: number, to: number): string {
    done = to
    return text.slice(from - start, to - start)
  }

  function endAttribute(): void {
    if (++count > MAX_ATTRIBUTES) throw damaged('an element has too many attributes')
    // Of two with the same name, the first counts.
    if (isRead && !attributes.has(attribute)) attributes.set(attribute, value)
    value = ''
  }

  function openTag(): void {
    handler.open(tag, attributes)
    // Most tags have none, and clearing takes as long as making new ones.
    if (attributes.size > 0) attributes.clear()
    count = 0
  }

  const tokenizer = new Tokenizer(
    { recognizeSelfClosing: true },
    {
      ontext: (from, to) => handler.text(take(from, to)),
      ontextentity: (code, to) => {
        done = to
        handler.text(String.fromCodePoint(code))
      },
      onopentagname: (from, to) => {
        tag = take(from, to).toLowerCase()
      },
      onattribname: (from, to) => {
        attribute = take(from, to).toLowerCase()
        isRead = ATTRIBUTES.has(attribute) || attribute.startsWith('xmlns')
      },
      onattribdata: (from, to) => {
        if (isRead) value += take(from, to)
        else done = to
      },
      onattribentity: (code) => {
        if (isRead) value += String.fromCodePoint(code)
      },
      onattribend: endAttribute,
      onopentagend: openTag,
      onselfclosingtag: () => {
        openTag()
        handler.close(tag)
      },
      onclosetag: (from, to) => handler.close(take(from, to).toLowerCase()),
      oncomment: (from, to, endLength) => handler.comment(take(from, to - endLength)),
      oncdata: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )

  return {
    write(piece) {
      const before = done
      text += piece
      tokenizer.write(piece)
      if (done > before) {
        text = text.slice(done - start)
        start = done
      }
      if (text.length + value.length > MAX_TOKEN_CHARACTERS) {
        throw damaged('one of its texts is too long')
      }
    },
    end: () => tokenizer.end(),
  }
}
