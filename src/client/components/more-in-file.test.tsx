import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../testing/render'
import { MoreInFile } from './more-in-file'

describe('what a preview leaves out', () => {
  it('is counted below it', () => {
    renderInTheme(<MoreInFile columnCount={1_800} />)
    expect(screen.getByText('and 1,800 more columns')).toBeDefined()
  })

  it('may be rows as well', () => {
    renderInTheme(<MoreInFile rowCount={63} columnCount={1} />)
    expect(screen.getByText('and 63 more rows and 1 more column')).toBeDefined()
  })

  it('is not mentioned when it is nothing', () => {
    renderInTheme(<MoreInFile columnCount={0} />)
    expect(screen.queryByText(/more/)).toBeNull()
  })
})
