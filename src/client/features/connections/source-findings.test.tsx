import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

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
}

describe('what was found in a source', () => {
  it('names delimiter, encoding and the rows that were read', () => {
    renderInTheme(<SourceFindings preview={preview} />)
    expect(screen.getByText('Tab')).toBeDefined()
    expect(screen.getByText('WINDOWS-1250, gzip')).toBeDefined()
    expect(screen.getByText('1,412, the file goes on')).toBeDefined()
  })

  it('lists problems with their lines and how often they were seen', () => {
    renderInTheme(<SourceFindings preview={preview} />)
    expect(screen.getByText('Line 14')).toBeDefined()
    expect(screen.getByText('The row has 1 cell instead of 2 (3 times)')).toBeDefined()
    expect(screen.getByText('Whole file')).toBeDefined()
  })
})

describe('what the last sync found', () => {
  const findings: Findings = {
    fileName: 'connection_1_spring.csv',
    publishedAt: '2026-01-15T08:30:00.000Z',
    rowCount: 9_880,
    columnCount: 12,
    dialect: preview.dialect,
    problems: preview.problems,
    isRewritten: true,
    categoryReading: null,
  }

  it('tells how the source was written, what became of it, and what is wrong with it', () => {
    renderInTheme(<PublishedFindings findings={findings} />)
    expect(screen.getByText('WINDOWS-1250, gzip')).toBeDefined()
    expect(screen.getByText('9,880')).toBeDefined()
    expect(screen.getByText(/^Rewritten as UTF-8/)).toBeDefined()
    expect(screen.getByText('Line 14')).toBeDefined()
  })

  it('says that nothing was done to a file and that nothing is wrong', () => {
    renderInTheme(
      <PublishedFindings findings={{ ...findings, isRewritten: false, problems: [] }} />,
    )
    expect(screen.getByText('Passed through byte for byte.')).toBeDefined()
    expect(screen.getByText('No problems were found in the file.')).toBeDefined()
  })
})
