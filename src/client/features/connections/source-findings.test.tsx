import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { SourceFindings as Findings } from '../../../shared/schemas/file'
import { renderInTheme } from '../../testing/render'
import { PublishedFindings, SourceFindings } from './source-findings'

const preview: SourcePreview = {
  columns: ['sku', 'type'],
  columnCount: 2,
  rows: [['A1', 'Shirts']],
  dialect: {
    encoding: 'windows-1250',
    hasByteOrderMark: false,
    delimiter: '\t',
    isQuoted: true,
    hasHeader: true,
    compression: 'gzip',
  },
  problems: [
    { line: 14, message: 'The row has 1 cell instead of 2', count: 3 },
    { line: null, message: 'The file ends in the middle of a row', count: 1 },
  ],
  rowsRead: 1412,
  isPartial: true,
  categoryReading: { column: 'type', pathSeparator: null, listSeparator: null },
  categoryColumns: ['type'],
  categoryExamples: [],
  parts: { sheets: [], members: [], records: [] },
  found: AUTOMATIC_READING,
  foundRoles: { ...AUTOMATIC_ROLES, sku: 'sku' },
  update: null,
  overlay: null,
}

describe('SourceFindings', () => {
  it('names delimiter, encoding and the number of rows read', () => {
    renderInTheme(<SourceFindings preview={preview} />)
    expect(screen.getByText('Tab')).toBeDefined()
    expect(screen.getByText('Windows-1250, gzip')).toBeDefined()
    expect(screen.getByText('First 1,412')).toBeDefined()
  })

  it('names the sheet of a workbook and the file of an archive, and counts rows instead of lines', () => {
    const origin = { form: 'xlsx' as const, sheets: ['Stock'], member: 'stock.xlsx', records: null }
    const workbook = { ...preview, dialect: { ...preview.dialect, origin } }
    renderInTheme(<SourceFindings preview={workbook} />)
    expect(screen.getByText('Excel workbook')).toBeDefined()
    expect(screen.getByText('Stock')).toBeDefined()
    expect(screen.getByText('stock.xlsx')).toBeDefined()
    expect(screen.getByText('Row 14')).toBeDefined()
    expect(screen.queryByText('Tab')).toBe(null)
  })

  it('says what an update would do, as far as a preview can tell', () => {
    const counts = { items: 1_037, changed: 1_030, added: 5, removed: 0 }
    for (const [update, text] of [
      [{ isFull: false, counts }, 'Update of 1,037 items: 1,030 changed, 5 new'],
      [{ isFull: false, counts: null }, 'An update, too large to be tried here'],
      [{ isFull: true, counts: null }, 'A full file: it takes the place of all items'],
    ] as const) {
      renderInTheme(<SourceFindings preview={{ ...preview, update }} />)
      expect(screen.getByText(text)).toBeDefined()
    }
  })

  it('says how many rows a second address has in common, as far as a preview can tell', () => {
    const counts = {
      joined: 8_412,
      onlyInFile: { rows: 1, isKept: true },
      onlyInOverlay: { rows: 3, isKept: false },
    }
    for (const [overlay, text] of [
      [
        { counts, problem: null },
        '8,412 rows joined with the second address; 1 only in the file, kept; 3 only at the second address, left out',
      ],
      [{ counts: null, problem: null }, /^Joined to the rows shown/],
      [{ counts: null, problem: 'No row fits' }, 'Not joined'],
    ] as const) {
      renderInTheme(<SourceFindings preview={{ ...preview, overlay }} />)
      expect(screen.getByText(text)).toBeDefined()
    }
  })

  it('names the records of a document, and counts them', () => {
    const records = { path: ['catalog', 'product'], variants: ['variant'] }
    const origin = { form: 'xml' as const, sheets: [], member: null, records }
    const document = { ...preview, dialect: { ...preview.dialect, origin } }
    renderInTheme(<SourceFindings preview={document} />)
    expect(screen.getByText('catalog › product')).toBeDefined()
    expect(screen.getByText('A row for each').nextSibling?.textContent).toBe('variant')
    expect(screen.getByText('Names of the fields')).toBeDefined()
    expect(screen.getByText('Record 14')).toBeDefined()
  })

  it('lists problems with their line and number of occurrences', () => {
    renderInTheme(<SourceFindings preview={preview} />)
    expect(screen.getByText('Line 14')).toBeDefined()
    expect(screen.getByText('The row has 1 cell instead of 2 (3 times)')).toBeDefined()
    expect(screen.getByText('Whole file')).toBeDefined()
  })
})

describe('PublishedFindings', () => {
  const findings: Findings = {
    fileName: 'connection_1_spring.csv',
    publishedAt: '2026-01-15T08:30:00.000Z',
    rowCount: 9_880,
    columnCount: 12,
    dialect: preview.dialect,
    problems: preview.problems,
    isRewritten: true,
    categoryReading: null,
    categoryExamples: [],
    update: null,
    joined: null,
  }

  it('shows the format of the source, whether it was rewritten, and its problems', () => {
    renderInTheme(<PublishedFindings findings={findings} />)
    expect(screen.getByText('Windows-1250, gzip')).toBeDefined()
    expect(screen.getByText('9,880')).toBeDefined()
    expect(screen.getByText(/^Rewritten as UTF-8/)).toBeDefined()
    expect(screen.getByText('Line 14')).toBeDefined()
  })

  it('offers to decide what was guessed', async () => {
    const message = 'Read as Windows-1250: check that Č look right, as in “Čaj”.'
    const problems: Findings['problems'] = [{ line: null, message, count: 1, setting: 'encoding' }]
    const opened: string[] = []
    renderInTheme(
      <PublishedFindings
        findings={{ ...findings, problems }}
        onChoose={() => opened.push('preview')}
      />,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Choose the encoding' }))
    expect(opened).toEqual(['preview'])
  })

  it('says when a file was published unchanged and has no problems', () => {
    renderInTheme(
      <PublishedFindings findings={{ ...findings, isRewritten: false, problems: [] }} />,
    )
    expect(screen.getByText('Passed through byte for byte.')).toBeDefined()
    expect(screen.getByText('No problems were found in the file.')).toBeDefined()
  })

  it('says what was joined of a second address', () => {
    const none = { rows: 0, isKept: true }
    const joined = { joined: 2, onlyInFile: none, onlyInOverlay: none }
    renderInTheme(<PublishedFindings findings={{ ...findings, joined }} />)
    expect(screen.getByText('2 rows joined with the second address.')).toBeDefined()
  })

  it('says that a sheet was written as CSV, also when that was passed through', () => {
    const origin = { form: 'xlsx', sheets: ['Stock'], member: null, records: null } as const
    const dialect = { ...findings.dialect, origin: { ...origin, sheets: ['Stock'] } }
    renderInTheme(<PublishedFindings findings={{ ...findings, dialect, isRewritten: false }} />)
    expect(screen.getByText('Written as CSV in UTF-8; no cell was changed.')).toBeDefined()
  })
})
