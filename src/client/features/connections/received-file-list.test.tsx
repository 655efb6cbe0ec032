import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { ReceivedFile } from '../../../shared/schemas/received-file'
import { renderInTheme } from '../../testing/render'
import { ReceivedFileList } from './received-file-list'

const published: ReceivedFile = {
  id: 1,
  fileName: 'stock.xlsx',
  sizeBytes: 2_048,
  receivedAt: new Date(Date.now() - 5 * 60_000).toISOString(),
  receivedBy: 'northbeck',
  linkEnd: null,
  way: null,
  sender: null,
  state: 'published',
  message: null,
  rows: 1_204,
  endedAt: new Date().toISOString(),
}

const textsOf = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('the files that were sent', () => {
  it('tell what became of each, and how it came', () => {
    const refused = { state: 'refused', message: 'The workbook is damaged.', rows: null } as const
    const byLink = { id: 2, fileName: 'old.zip', receivedBy: null, linkEnd: 'x7Qa' }
    renderInTheme(<ReceivedFileList files={[published, { ...published, ...byLink, ...refused }]} />)
    expect(textsOf()).toEqual([
      'stock.xlsxPublished5 minutes ago · 2 KB · 1,204 rows · by northbeck',
      'old.zipRefused5 minutes ago · 2 KB · by the upload link …\u2060x7QaThe workbook is damaged.',
    ])
  })

  it('announce what becomes of the newest', () => {
    const waiting = { ...published, id: 3, state: 'waiting' as const, rows: null, endedAt: null }
    const { rerender } = renderInTheme(<ReceivedFileList files={[waiting, published]} />)
    const status = screen.getByRole('status')
    expect(status.textContent).toBe('The newest file: waiting')
    rerender(<ReceivedFileList files={[{ ...waiting, state: 'held' }, published]} />)
    expect(status.textContent).toBe('The newest file: held')
  })
})
