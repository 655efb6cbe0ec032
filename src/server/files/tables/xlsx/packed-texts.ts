import { takeBuffer } from '../../task-memory'
import { cellBytes, writeCell } from '../csv-cell'
import { workbookTooLarge } from '../workbook'

/** Texts as cells of a CSV file, one after the other: strings would take many times the memory. */
export interface PackedTexts {
  /** @throws FileError */
  add(text: string): void
  count(): number
  /** Where a text is. Valid until the next call. */
  find(index: number): Readonly<Place>
}

interface Place {
  bytes: Buffer
  start: number
  end: number
}

const MAX_BYTES = 96 * 1024 * 1024
/** A text does not continue on another page. */
const PAGE_BYTES = 1024 * 1024
const PLACES_PER_PAGE = 64 * 1024

export function createPackedTexts(): PackedTexts {
  const pages: Buffer[] = []
  /** Two numbers a text: where it starts, as if all pages were one, and its length. */
  const places: Uint32Array[] = []
  const place: Place = { bytes: Buffer.alloc(0), start: 0, end: 0 }
  let page = place.bytes
  let pageStart = 0
  let length = 0
  let count = 0

  function addPage(): void {
    page = takeBuffer(PAGE_BYTES)
    pageStart = pages.length * PAGE_BYTES
    length = 0
    pages.push(page)
    refuseTooMany()
  }

  function refuseTooMany(): void {
    const bytes = pages.length * PAGE_BYTES + places.length * PLACES_PER_PAGE * 8
    if (bytes > MAX_BYTES) {
      throw workbookTooLarge(`more than ${MAX_BYTES / 1024 / 1024} MB of different texts`)
    }
  }

  return {
    count: () => count,
    add(text) {
      if (length + cellBytes(text) > page.length) addPage()
      const within = count % PLACES_PER_PAGE
      if (within === 0) {
        places.push(new Uint32Array(2 * PLACES_PER_PAGE))
        refuseTooMany()
      }
      const start = length
      length = writeCell(text, page, start)
      const current = places.at(-1) as Uint32Array
      current[2 * within] = pageStart + start
      current[2 * within + 1] = length - start
      count++
    },
    find(index) {
      const numbers = places[Math.floor(index / PLACES_PER_PAGE)] as Uint32Array
      const within = 2 * (index % PLACES_PER_PAGE)
      const start = numbers[within] as number
      place.bytes = pages[Math.floor(start / PAGE_BYTES)] as Buffer
      place.start = start % PAGE_BYTES
      place.end = place.start + (numbers[within + 1] as number)
      return place
    },
  }
}
