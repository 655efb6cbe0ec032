import { readFileSync } from 'node:fs'

import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'

import { createMemoryDrafts, readAll } from '../testing/fixtures/file-fixtures'
import { openDocument } from '../testing/stages/document-stage'
import { FileError } from './file-error'
import { ingestFile } from './ingest'

type ForeignTable = { program: string; rows: string[][]; bytes: string }

/** Each table with the files that have it, written by other programs: tools/foreign-tables/write.py. */
const written = JSON.parse(
  readFileSync(new URL('../testing/fixtures/foreign-tables.json', import.meta.url), 'utf8'),
) as { rows: string[][]; files: Record<string, string> }[]

const tables = written.flatMap(({ rows, files }) =>
  Object.entries(files).map(([program, bytes]): ForeignTable => ({ program, rows, bytes })),
)

const { signal } = new AbortController()

/** Reads a table as a sync does. */
async function read({ bytes }: ForeignTable) {
  const drafts = createMemoryDrafts()
  const table = await openDocument(Buffer.from(bytes, 'base64'), false)
  const { draft, report } = await ingestFile(table.body, {
    openDraft: drafts.open,
    table,
    compression: 'none',
    categoryReading: null,
    signal,
  })
  const rows = parse(await readAll(draft.read())) as string[][]
  return { rows, problems: report.problems.map(({ message }) => message) }
}

const withoutLineEnds = (rows: string[][]) =>
  JSON.stringify(rows.map((row) => row.map((cell) => cell.replaceAll('\r\n', '\n'))))
/** HTML shows no blanks around a text. */
const asShown = (rows: string[][]) =>
  withoutLineEnds(rows.map((row) => row.map((cell) => cell.trim())))

type Verdict = 'exact' | 'told' | 'refused' | 'wrong'

/** What becomes of a table. */
async function judge(table: ForeignTable): Promise<Verdict> {
  try {
    const { rows, problems } = await read(table)
    const textOf = table.program.includes('html') ? asShown : withoutLineEnds
    if (textOf(rows) === textOf(table.rows)) return 'exact'
    return problems.length > 0 ? 'told' : 'wrong'
  } catch (error) {
    if (error instanceof FileError && error.message !== '') return 'refused'
    throw error
  }
}

describe('tables written by other programs', () => {
  it('are read exactly, or the supplier is told why not: none is silently wrong', async () => {
    const judged: { table: ForeignTable; verdict: Verdict }[] = []
    for (const table of tables) judged.push({ table, verdict: await judge(table) })
    const listOf = (kind: Verdict) => judged.filter(({ verdict }) => verdict === kind)
    const wrong = listOf('wrong').map(({ table: { program, rows } }) => [program, rows[0]])
    expect(wrong).toEqual([])
    // Drawings for people and HTML are refused; in the others a few tables cannot be told apart.
    expect(tables.length).toBeGreaterThan(400)
    expect(listOf('exact').length).toBeGreaterThan(0.7 * tables.length)
    expect(listOf('told').length).toBeLessThan(0.05 * tables.length)
  })
})
