import { StringDecoder } from 'node:string_decoder'

import { createDecoder } from '../../read/encoding/decode'
import type { Encoding } from '../../read/encoding/encoding'
import { type ProblemLog, createProblemLog } from '../../read/problems'
import type { SheetStore } from '../sheet-store'
import { damagedWorkbook } from '../workbook'
import { type HtmlDocument, createHtmlHandler } from './html-handler'
import { createTagReader } from './html-tags'

/** A document as it was read in an encoding. */
export interface ReadHtml extends HtmlDocument {
  encoding: Encoding
  /** Characters that could not be decoded. */
  problems: ProblemLog
}

interface HtmlReading {
  chunks: AsyncIterable<Uint8Array>
  encoding: Encoding
  store: SheetStore
  /** Whether what has been read of it is enough. */
  isEnough: (read: () => ReadHtml) => Promise<boolean>
}

/** Rows are stored after each piece, which cells that span columns make larger. */
const PIECE_CHARACTERS = 16 * 1024

/** Reads a document, to its end if there is not enough before, and stores the rows of its tables. */
export async function readHtml({
  chunks,
  encoding,
  store,
  isEnough,
}: HtmlReading): Promise<ReadHtml> {
  const problems = createProblemLog()
  const decoder = createDecoder(encoding, problems)
  const characters = new StringDecoder('utf8')
  const handler = createHtmlHandler(store, damagedWorkbook)
  const tags = createTagReader(handler, damagedWorkbook)
  const look = (): ReadHtml => ({ ...handler.look(), encoding, problems })

  async function read(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      tags.write(text.slice(at, at + PIECE_CHARACTERS).replaceAll('\0', ''))
      await store.flush()
    }
  }

  for await (const { buffer, byteOffset, length } of chunks) {
    await read(characters.write(decoder.decode(Buffer.from(buffer, byteOffset, length))))
    if (await isEnough(look)) return look()
  }
  await read(characters.write(decoder.end()) + characters.end())
  tags.end()
  handler.end()
  await store.flush()
  return look()
}
