import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { MoreInFile } from './more-in-file'

describe('MoreInFile', () => {
  it('counts the columns that the preview omits', () => {
    renderInTheme(<MoreInFile columnCount={1_800} />)
    expect(screen.getByText('and 1,800 more columns')).toBeDefined()
  })

  it('counts omitted rows and columns', () => {
    renderInTheme(<MoreInFile rowCount={63} columnCount={1} />)
    expect(screen.getByText('and 63 more rows and 1 more column')).toBeDefined()
  })

  it('shows nothing when nothing is omitted', () => {
    renderInTheme(<MoreInFile columnCount={0} />)
    expect(screen.queryByText(/more/)).toBeNull()
  })
})
