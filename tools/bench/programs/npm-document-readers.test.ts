import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { makeInventoryDocument } from '../inventory-document'
import { DOCUMENT_READERS } from './npm-document-readers'

it.each(Object.entries(DOCUMENT_READERS))(
  '%s finds all rows of a document',
  async (_name, { form, countRows }) => {
    const folder = await mkdtemp(join(tmpdir(), 'stockbridge-document-'))
    const path = join(folder, 'document')
    await writeFile(path, makeInventoryDocument(form, 1_000, 'first'))
    expect(await countRows(path)).toBe(1_000)
    await rm(folder, { recursive: true })
  },
)
