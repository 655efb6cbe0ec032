import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { RecordsDownload } from './records-download'

it('has the records with a header, and no formulas', () => {
  renderInTheme(
    <RecordsDownload
      rows={[{ reason: '=1+2', rows: null }]}
      columns={{ reason: ({ reason }) => reason, rows: ({ rows }) => rows }}
      fileName="runs.csv"
    />,
  )
  const link = screen.getByRole('link', { name: 'Export CSV' })
  expect(link.getAttribute('download')).toBe('runs.csv')
  const [, content = ''] = (link.getAttribute('href') ?? '').split(',', 2)
  expect(decodeURIComponent(content)).toBe('\uFEFF"reason","rows"\r\n"\'=1+2",""\r\n')
})
