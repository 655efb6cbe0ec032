import { describe, expect, it } from 'vitest'

import { previewDocument, readDocument } from '../../../testing/stages/document-stage'
import { hostileDocuments } from '../../../testing/suites/hostile/hostile-documents'
import { FileError } from '../../file-error'

const SIZE = 100_000

/** How many different widths the rows have that are read; why the document is refused. */
async function read(document: string): Promise<string> {
  try {
    const { rows } = await readDocument(document)
    return `rows of ${new Set(rows.map(({ length }) => length)).size} width`
  } catch (error) {
    if (error instanceof FileError) return error.code
    throw error
  }
}

describe('a hostile document', () => {
  it.each(Object.entries(hostileDocuments))(
    'is read with rows of one width, or refused: %s',
    async (_, make) => {
      expect(await read(make(SIZE))).toMatch(
        /^(?:rows of 1 width|document-.*|not-csv-.*|truncated|several-tables|empty)$/,
      )
    },
  )

  it.each(Object.entries(hostileDocuments))('is previewed, or refused: %s', async (_, make) => {
    const preview = await previewDocument(make(SIZE)).catch((error: unknown) => {
      if (error instanceof FileError) return undefined
      throw error
    })
    expect(JSON.stringify(preview?.parts ?? '').length).toBeLessThan(100_000)
  })
})
