import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { renderWithAnswers } from '../../testing/render-app'
import { trpc } from '../../trpc'
import { RowsTrend } from './rows-trend'

const counts = [
  { at: '2026-11-01T09:00:00.000Z', rows: 1_192 },
  { at: '2026-11-12T09:00:00.000Z', rows: 1_204 },
]

function Loaded() {
  const { isSuccess } = trpc.retailers.rowCounts.useQuery({ id: 7 })
  return isSuccess && <p>Loaded</p>
}

const render = (answer: typeof counts) =>
  renderWithAnswers(
    <>
      <RowsTrend retailerId={7} />
      <Loaded />
    </>,
    { 'retailers.rowCounts': () => answer },
  )

describe('the trend of a retailer’s rows', () => {
  it('is a chart with its last value, its dates and a text', async () => {
    render(counts)
    const figure = await screen.findByRole('figure')
    expect(figure.textContent).toContain('Rows of your file, in the last 30 days')
    expect(figure.textContent).toContain('1,204')
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^1,204, .*2026/)
  })

  it('is not shown until there are two files', async () => {
    render(counts.slice(1))
    await screen.findByText('Loaded')
    expect(screen.queryByRole('figure')).toBeNull()
  })
})
