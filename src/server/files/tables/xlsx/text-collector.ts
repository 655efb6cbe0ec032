import { cellTooLong } from '../workbook'
import { MAX_ESCAPED_CHARACTERS } from './escapes'

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
    take() {
      const text = collected
      collected = ''
      return text
    },
  }
}
