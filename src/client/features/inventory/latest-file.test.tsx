import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { LatestFileCard } from './latest-file'

describe('LatestFileCard', () => {
  it('shows the file name without its prefix, the size in KB and a download link', () => {
    renderInTheme(
      <LatestFileCard
        file={{
          fileName: 'connection_7_spring.csv',
          downloadDate: '2025-11-21T12:00:00Z',
          fileSize: 1536,
          downloadUrl: '/api/retailers/3/files/spring.csv',
          rowCount: 1234,
        }}
      />,
    )
    expect(screen.getByText('spring.csv')).toBeDefined()
    expect(screen.getByText('1.50 KB')).toBeDefined()
    expect(screen.getByText('1,234 rows')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
      '/api/retailers/3/files/spring.csv',
    )
  })

  it('shows the message when there is no file', () => {
    renderInTheme(<LatestFileCard file={{ message: 'No file is available yet' }} />)
    expect(screen.getByText('No file is available yet')).toBeDefined()
    expect(screen.queryByRole('link')).toBeNull()
  })
})
