import BetterSqlite3 from 'better-sqlite3'

const PAGE_BYTES = 512
/** Page 1 begins with the file header. */
const FILE_HEADER_BYTES = 100
const LEAF = 13
const INTERIOR = 5
const LEVELS = 17
const CHILDREN = 40

/**
 * Makes a database of 11 KB that SQLite reads practically forever when it opens it: the schema is a
 * tree of pages where all children of a page are the same page, and SQLite walks every path.
 */
export function makeEndlessDatabase(): Buffer {
  const sqlite = new BetterSqlite3(':memory:')
  sqlite.pragma(`page_size = ${PAGE_BYTES}`)
  sqlite.exec('create table t (a unique)')
  const content = sqlite.serialize()
  sqlite.close()
  const cells = readCells(content)
  // SQLite accepts the row of a constraint's index any number of times.
  const pages = [toLeaf(cells), toLeaf(cells.slice(1))]
  const count = content.byteLength / PAGE_BYTES
  let last = count + pages.length
  for (let level = 0; level < LEVELS; level++) {
    pages.push(toInterior(Array<number>(CHILDREN).fill(last), 0))
    last = count + pages.length
  }
  const root = toInterior([count + 1, last], FILE_HEADER_BYTES)
  content.copy(root, 0, 0, FILE_HEADER_BYTES)
  root.writeUInt32BE(last, 28)
  return Buffer.concat([root, content.subarray(PAGE_BYTES), ...pages])
}

/** The stored rows of page 1, which are short. */
function readCells(content: Buffer): Buffer[] {
  const count = content.readUInt16BE(FILE_HEADER_BYTES + 3)
  return Array.from({ length: count }, (_, index) => {
    const at = content.readUInt16BE(FILE_HEADER_BYTES + 8 + 2 * index)
    return Buffer.from(content.subarray(at, at + content[at]! + 2))
  })
}

function toLeaf(cells: Buffer[]): Buffer {
  return toPage(LEAF, cells, 0)
}

function toInterior(children: number[], headerAt: number): Buffer {
  const cells = children.slice(0, -1).map((child) => {
    const cell = Buffer.alloc(5, 1)
    cell.writeUInt32BE(child)
    return cell
  })
  const page = toPage(INTERIOR, cells, headerAt)
  page.writeUInt32BE(children.at(-1) ?? 0, headerAt + 8)
  return page
}

function toPage(type: number, cells: Buffer[], headerAt: number): Buffer {
  const page = Buffer.alloc(PAGE_BYTES)
  const pointersAt = headerAt + (type === LEAF ? 8 : 12)
  let at = PAGE_BYTES
  for (const [index, cell] of cells.entries()) {
    at -= cell.byteLength
    cell.copy(page, at)
    page.writeUInt16BE(at, pointersAt + 2 * index)
  }
  page[headerAt] = type
  page.writeUInt16BE(cells.length, headerAt + 3)
  page.writeUInt16BE(at, headerAt + 5)
  return page
}
