import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { SourcePreview } from '../../../shared/schemas/connection'
import { renderInTheme } from '../../testing/render'
import { SourceFindings } from './source-findings'

const preview: SourcePreview = {
  columns: ['sku', 'type'],
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
  categoryReading: { column: 'type', pathSign: null, listSign: null },
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
