import { MAX_CELL_CHARACTERS, cellTooLong } from '../workbook'
import { type XmlAttributes, findAttribute } from '../xml-parser'

/** Collects the text that a cell shows: its paragraphs as lines. Depths are those below the cell. */
export interface Paragraphs {
  start(): void
  /** @throws FileError for a text that is too long */
  open(name: string, attributes: XmlAttributes, depth: number, row: number): void
  close(depth: number): void
  /** @throws FileError as `open` */
  add(text: string, row: number): void
  take(): string
}

/** What has a text that is not the cell's: comments, drawings, hints for pronunciation. */
const OTHER_TEXTS = new Set(['annotation', 'frame', 'custom-shape', 'g', 'control', 'ruby-text'])

/** Blanks are kept as they are: the standard would have some left out, but no program writes them so. */
export function createParagraphs(): Paragraphs {
  let text = ''
  let count = 0
  let isParagraph = false
  /** The depth of what is left out; 0 for none. */
  let skipped = 0

  function append(piece: string, row: number): void {
    text += piece
    if (text.length > MAX_CELL_CHARACTERS) throw cellTooLong(row)
  }

  return {
    start() {
      text = ''
      count = 0
      isParagraph = false
      skipped = 0
    },
    open(name, attributes, depth, row) {
      if (skipped > 0) return
      if (OTHER_TEXTS.has(name)) skipped = depth
      else if (depth === 1 && name === 'p') {
        if (count++ > 0) append('\n', row)
        isParagraph = true
      } else if (!isParagraph) return
      else if (name === 's') append(' '.repeat(blanksOf(attributes)), row)
      else if (name === 'tab') append('\t', row)
      else if (name === 'line-break') append('\n', row)
    },
    close(depth) {
      if (depth === skipped) skipped = 0
      if (depth === 1) isParagraph = false
    },
    add(piece, row) {
      if (isParagraph && skipped === 0) append(piece, row)
    },
    take: () => text,
  }
}

function blanksOf(attributes: XmlAttributes): number {
  const count = Number(findAttribute(attributes, 'c') ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_CELL_CHARACTERS) : 1
}
