import type { ArchiveEntry } from '../archive'
import { cellTooLong, damagedWorkbook } from '../workbook'
import { createXmlParser } from '../xml-parser'
import { MAX_ESCAPED_CHARACTERS, unescapeText } from './escapes'
import { type Package, damagedPart } from './package'
import { type PackedTexts, createPackedTexts } from './packed-texts'

/** The texts that cells name by number. They are read as far as they are needed. */
export interface SharedTexts {
  /** @throws FileError also if there is no text with this number */
  readTo(index: number): Promise<void>
  find: PackedTexts['find']
  /** Reads to the end, where the checksum of what was read is known; no other texts can be read then. */
  check(): Promise<void>
}

export function openSharedTexts(parts: Package, entry: ArchiveEntry | undefined): SharedTexts {
  const texts = createPackedTexts()
  const chunks = entry && parts.read(entry)
  const parser = entry && createXmlParser(textHandler(texts), damagedPart(entry))
  return {
    find: texts.find,
    async readTo(index) {
      while (texts.count() <= index) {
        const next = await chunks?.next()
        if (!next || next.done) throw missingText()
        parser?.write(next.value)
      }
    },
    async check() {
      if (texts.count() === 0) return
      let rest = await chunks?.next()
      while (rest && !rest.done) rest = await chunks?.next()
    },
  }
}

function missingText() {
  return damagedWorkbook('a cell refers to a text that it does not have')
}

function textHandler(texts: PackedTexts) {
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

/** Collects a text that may have parts in different fonts, without the hints for its pronunciation. */
export interface TextCollector {
  start(): void
  open(name: string): void
  close(name: string): void
  add(text: string, row: number | null): void
  take(): string
}

export function createTextCollector(): TextCollector {
  let collected = ''
  let isText = false
  let isHint = false
  return {
    start() {
      collected = ''
      isText = false
      isHint = false
    },
    open(name) {
      if (name === 'rPh') isHint = true
      else if (name === 't') isText = !isHint
    },
    close(name) {
      if (name === 'rPh') isHint = false
      else if (name === 't') isText = false
    },
    add(text, row) {
      if (!isText) return
      collected += text
      if (collected.length > MAX_ESCAPED_CHARACTERS) throw cellTooLong(row)
    },
    take: () => collected,
  }
}
