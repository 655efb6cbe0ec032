import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection, sampleVersion } from '../testing/sample-records'

const at = '2026-01-15T08:30:00.000Z'
const published = sampleVersion(2, {
  state: 'current',
  difference: { added: 5, removed: 14, changed: 75 },
})

const renderDashboard = (answers: Answers = {}) =>
  renderApp('/supplier', supplierUser, {
    'retailers.page': () => ({ rows: [], matchCount: 0, totalCount: 9, page: 1, pageCount: 1 }),
    'retailers.readers': () => ({ total: 9, day: 6, behind: 0, silent: 2, never: 1, paused: 2 }),
    'connections.list': () => [{ ...sampleConnection, lastSync: at }],
    'connections.runs': () => [],
    'timeline.figures': () => [],
    'publishing.versions': () => ({
      versions: [published, sampleVersion(1)],
      kept: { versions: 30, days: 90 },
      maxPinned: 10,
    }),
    ...answers,
  })

const card = (name: string) => screen.findByRole('region', { name })

describe("the supplier's dashboard", () => {
  it('tells how many have read, and links to lists of them and of those that have not', async () => {
    renderDashboard()
    const readers = await card('Readers')
    expect(await within(readers).findByText('6')).toBeDefined()
    const links = within(readers).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['have read their file in the last day', '/supplier/retailers?reading=day'],
      ['2 silent', '/supplier/retailers?reading=silent'],
      ['1 never read', '/supplier/retailers?reading=never'],
      ['2 with a paused delivery', '/supplier/retailers?reading=paused'],
    ])
  })

  it('tells what the last file has changed, to be compared with the one before', async () => {
    renderDashboard()
    const change = await card('Last change')
    expect(await within(change).findByText('1,204 rows published')).toBeDefined()
    expect(change.textContent).toContain('+5−14~75')
    const link = within(change).getByRole('link', { name: 'Compare' })
    expect(link.getAttribute('href')).toBe('/supplier/connections/1/comparison?from=1.csv&to=2.csv')
  })

  it('draws the rows of the last files, with their last number and a text', async () => {
    const run = { bytes: 20_000, isHeld: false, durationMs: 900 }
    renderDashboard({
      'timeline.figures': () => [
        { ...run, at, rows: 1_192 },
        { ...run, at: '2026-01-16T08:30:00.000Z', rows: 1_204 },
      ],
    })
    const chart = await screen.findByRole('figure')
    expect(chart.textContent).toContain('Rows, in the last 30 days1,204')
    const slider = within(chart).getByRole('slider', {
      name: 'Rows, in the last 30 days over time',
    })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^1,204, .*2026/)
  })

  it('never calls a connection active alone whose file is held, and leads to the decision', async () => {
    renderDashboard({ 'connections.list': () => [{ ...sampleConnection, status: 'held' }] })
    const status = await card('Connection Status')
    expect(await within(status).findByText('Held')).toBeDefined()
    const link = within(status).getByRole('link', { name: 'Compare the held file' })
    expect(link.getAttribute('href')).toBe('/supplier/connections/1/comparison')
  })

  it('guides to the first read, and stays until there is one', async () => {
    const steps = async (answers: Answers) => {
      const { unmount } = renderDashboard(answers)
      const panel = await screen.findByRole('region', { name: 'First steps' })
      const found = within(panel)
        .getAllByRole('listitem')
        .map((step) => within(step).queryByText('Done') !== null)
      unmount()
      return found
    }
    const none = { total: 0, day: 0, behind: 0, silent: 0, never: 0, paused: 0 }
    const noRetailers = {
      'retailers.page': () => ({ rows: [], matchCount: 0, totalCount: 0, page: 1, pageCount: 1 }),
      'retailers.readers': () => none,
    }
    const held = { ...sampleConnection, status: 'held', lastSync: null }
    expect(await steps({ ...noRetailers, 'connections.list': () => [] })).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(await steps({ ...noRetailers, 'connections.list': () => [held] })).toEqual([
      true,
      false,
      false,
      false,
    ])
    const unread = { 'retailers.readers': () => ({ ...none, total: 9, never: 9 }) }
    expect(await steps(unread)).toEqual([true, true, true, false])
    renderDashboard()
    await card('Readers')
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
  })

  it('answers the rest when the readers could not be counted', async () => {
    renderDashboard({
      'retailers.readers': () => {
        throw new Refusal(500, 'Internal server error')
      },
    })
    expect(await within(await card('Readers')).findByText('Could not be loaded')).toBeDefined()
    expect(await within(await card('Total Retailers')).findByText('9')).toBeDefined()
  })
})
