/** Reads a workbook from a file, and counts its rows. */
type BookReader = (path: string) => Promise<number>

/** Packages of npm that read workbooks, used as their documentation recommends for large files. */
export const BOOK_READERS: Record<string, BookReader> = {
  'yauzl and saxes': countElements,
  hucre: countRows,
}

/** The least that a reader needs: unpacks both large parts, finds their elements and texts, and keeps no text. */
async function countElements(path: string): Promise<number> {
  const { openPromise } = await import('yauzl')
  const { SaxesParser } = await import('saxes')
  const zip = await openPromise(path, { autoClose: false })
  let rows = 0
  for await (const entry of zip.eachEntry()) {
    if (!/(?:sheet1|sharedStrings)\.xml$/.test(entry.fileName)) continue
    const parser = new SaxesParser({ position: false })
    parser.on('opentag', ({ name }) => {
      if (name === 'row') rows++
    })
    parser.on('text', () => undefined)
    const decoder = new TextDecoder()
    const part = await zip.openReadStreamPromise(entry)
    for await (const chunk of part as AsyncIterable<Buffer>) {
      parser.write(decoder.decode(chunk, { stream: true }))
    }
    parser.close()
  }
  zip.close()
  return rows
}

async function countRows(path: string): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const { streamXlsxRows } = await import('hucre/xlsx')
  let rows = 0
  for await (const { values } of streamXlsxRows(await readFile(path))) {
    if (values.length > 0) rows++
  }
  return rows
}
