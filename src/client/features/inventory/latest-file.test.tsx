import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { NewerFile } from '../../../shared/schemas/file'
import { renderInTheme } from '../../testing/render'
import { sampleRetailer } from '../../testing/sample-records'
import { LatestFileCard } from './latest-file'

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const file = {
  fileName: 'connection_7_spring.csv',
  downloadDate: '2025-11-21T12:00:00Z',
  dataAsOf: '2025-11-20T12:00:00Z',
  fileSize: 1536,
  downloadUrl: '/api/retailers/3/files/spring.csv',
  rowCount: 1234,
  newerFile: null,
  nextUpdateAt: null,
  freshness: 'on-time' as const,
}

describe('LatestFileCard', () => {
  it('shows the file name without its prefix, the size in KB and a download link', () => {
    renderInTheme(<LatestFileCard retailer={sampleRetailer} file={file} />)
    expect(screen.getByText('spring.csv')).toBeDefined()
    expect(screen.getByText('1.50 KB')).toBeDefined()
    expect(screen.getByText('1,234 rows')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
      '/api/retailers/3/files/spring.csv',
    )
  })

  it('shows the age of the data, not when the file became the retailer’s', () => {
    renderInTheme(<LatestFileCard retailer={sampleRetailer} file={file} />)
    const dataAsOf = screen.getByText(/^Data as of/).querySelector('time')
    expect(dataAsOf?.dateTime).toBe(file.dataAsOf)
    expect(screen.queryByText(/newer file/)).toBeNull()
  })

  it.each<[Partial<NewerFile>, RegExp]>([
    [
      { reason: 'frequency', updatesAt: inHours(23.5) },
      /^A newer file exists; yours updates in 2[34] hours\. Northbeck Outdoor has set your updates to Daily\.$/,
    ],
    [
      { reason: 'frequency', updatesAt: inHours(-1) },
      /yours updates with the next Refresh or download/,
    ],
    [{ reason: 'processing' }, /^A newer file exists; yours is being prepared\.$/],
    [{ reason: 'failed' }, /could not be prepared/],
  ])('says of a newer file with %o: %s', (newerFile, text) => {
    const newer = { publishedAt: inHours(-1), reason: 'frequency', updatesAt: null } as const
    renderInTheme(
      <LatestFileCard
        retailer={sampleRetailer}
        file={{ ...file, newerFile: { ...newer, ...newerFile } }}
      />,
    )
    expect(
      screen
        .getByText(/newer file/)
        .closest('p')
        ?.textContent.trim(),
    ).toMatch(text)
  })

  it('shows the message when there is no file', () => {
    renderInTheme(
      <LatestFileCard retailer={sampleRetailer} file={{ message: 'No file is available yet' }} />,
    )
    expect(screen.getByText('No file is available yet')).toBeDefined()
    expect(screen.queryByRole('link')).toBeNull()
  })
})
