import { isAscii } from 'node:buffer'

import { peek } from '../../fetch/body-limits'
import { toChosenEncoding } from '../../read/encoding/chosen-encoding'
import {
  type Encoding,
  createEncodingDetector,
  detectUnicodeHead,
} from '../../read/encoding/encoding'
import { TEXT_HEAD_BYTES } from '../recognize-text'
import { createSheetStore } from '../sheet-store'
import type { TextDocument } from '../text-document'
import { type ReadHtml, readHtml } from './read-html'

const UTF8: Encoding = { name: 'utf-8', bomLength: 0, hasStrayBytes: false }
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const LINE_FEED = 0x0a

/**
 * Reads a document as it comes, as UTF-8 like most are; and once more if all of its bytes have shown that it is in
 * another encoding.
 */
export async function decodeHtml(
  source: TextDocument,
  isEnough: (bytes: number, read: () => ReadHtml) => Promise<boolean>,
): Promise<{ document: ReadHtml; isWhole: boolean }> {
  const { encoding: chosen, hints, maxBytes, onRead } = source
  const { head, all } = await peek(source.body, TEXT_HEAD_BYTES)
  const supposed =
    chosen === null ? (detectUnicodeHead(head) ?? UTF8) : toChosenEncoding(chosen, head)
  const detector = createEncodingDetector({ ...hints, document: findDeclared(head) })
  const scratch = await source.openScratch('document')
  const store = createSheetStore(await source.openScratch('rows'), maxBytes)
  let bytes = 0
  let isWhole = false

  async function* stored(): AsyncGenerator<Buffer> {
    for await (const chunk of all) {
      detector.push(withoutBrackets(chunk))
      await scratch.write(chunk)
      onRead((bytes += chunk.length))
      yield chunk
    }
    isWhole = true
  }

  async function* again(): AsyncGenerator<Uint8Array> {
    for await (const chunk of scratch.read()) {
      onRead((bytes += chunk.length))
      yield chunk
    }
  }

  const document = await readHtml({
    chunks: stored(),
    encoding: supposed,
    store,
    isEnough: (read) => isEnough(bytes, read),
  })
  const encoding = chosen === null ? await detector.detect(isWhole) : supposed
  const isRight =
    encoding.name === supposed.name && encoding.hasStrayBytes === supposed.hasStrayBytes
  if (isRight) return { document: { ...document, encoding }, isWhole }
  store.restart()
  const never = async () => false
  const other = await readHtml({ chunks: again(), encoding, store, isEnough: never })
  return { document: other, isWhole }
}

const DECLARATION = /\b(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i

/** The charset that a document declares at its beginning. */
const findDeclared = (head: Buffer): string | null =>
  DECLARATION.exec(head.toString('latin1'))?.[1] ?? null

/** Makes lines of what stands between tags, by which texts are told apart when a charset is guessed. */
function withoutBrackets(chunk: Buffer): Buffer {
  if (isAscii(chunk)) return chunk
  const lines = Buffer.from(chunk)
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === LESS_THAN || lines[at] === GREATER_THAN) lines[at] = LINE_FEED
  }
  return lines
}
