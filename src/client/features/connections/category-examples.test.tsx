import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { CategoryExamples } from './category-examples'

const CELLS = ['Beta > Deep > X', 'Hats|Shoes']

describe('the examples of categories', () => {
  it('show what the separators make of each', () => {
    renderInTheme(
      <CategoryExamples cells={CELLS} separators={{ pathSeparator: '>', listSeparator: '|' }} />,
    )
    expect(screen.getByText('Deep')).toBeDefined()
    expect(screen.getByText('3 levels')).toBeDefined()
    expect(screen.getByText('Shoes')).toBeDefined()
    expect(screen.getByText('2 categories')).toBeDefined()
  })

  it('show what is not split', () => {
    renderInTheme(
      <CategoryExamples cells={CELLS} separators={{ pathSeparator: null, listSeparator: null }} />,
    )
    expect(screen.getAllByText('1 level')).toHaveLength(2)
    expect(screen.queryByText('Deep')).toBeNull()
  })

  it('are not there without any', () => {
    const { container } = renderInTheme(
      <CategoryExamples cells={[]} separators={{ pathSeparator: null, listSeparator: null }} />,
    )
    expect(container.querySelector('section')).toBeNull()
  })
})
