import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { AuditEntry, AuditPage, AuditPageInput } from '../../shared/schemas/audit'
import { adminUser, Refusal, renderApp, supplierUser } from '../testing/render-app'

const entry: AuditEntry = {
  id: 7,
  at: '2026-01-15T08:30:00.000Z',
  action: 'retailer.update',
  actorName: 'northbeck',
  actorRole: 'SUPPLIER',
  keyName: null,
  subjectId: 3,
  subjectName: 'Corner Shop',
  supplierId: 2,
  changes: [
    { field: 'storeName', before: 'Old Corner', after: 'Corner Shop' },
    { field: 'storeUrl', before: null, after: 'shop.example' },
  ],
  origin: 'web',
  address: '203.0.113.7',
  count: 1,
  firstAt: '2026-01-15T08:30:00.000Z',
}

const pageOf = (rows: AuditEntry[], next: string | null = null): AuditPage => ({ rows, next })

function renderLog(path: string, answer: (input: AuditPageInput) => AuditPage, user = adminUser) {
  const asked: AuditPageInput[] = []
  const view = renderApp(path, user, {
    'audit.page': (input: AuditPageInput) => {
      asked.push(input)
      return answer(input)
    },
  })
  return { ...view, asked }
}

describe('the audit log', () => {
  it('says how often something was done again and again, and since when', async () => {
    const firstAt = '2026-01-15T08:00:00.000Z'
    renderLog('/audit', () => pageOf([{ ...entry, count: 1_031, firstAt }]))
    const sentence = await screen.findByText('changed the retailer Corner Shop, 1,031 times')
    expect(sentence.closest('td')?.textContent).toMatch(/, 1,031 times, first .+ ago$|, first Jan/)
  })

  it('tells each entry as a sentence, and shows what has changed on request', async () => {
    renderLog('/audit', () => pageOf([entry]))
    const sentence = await screen.findByText('changed the retailer Corner Shop')
    expect(sentence.closest('td')?.textContent).toBe('northbeck changed the retailer Corner Shop')
    expect(screen.queryByText('Old Corner')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '2 fields' }))
    const changes = screen.getByText('Store name').closest('dl')
    expect(changes?.textContent).toBe('Store nameOld CornerCorner ShopStore URLnoneshop.example')
  })

  it('reads its filters from the address, and keeps them there', async () => {
    const { asked, router } = renderLog(
      '/audit?who=northbeck&what=retailer&supplier=2&subject=3&from=2026-01-01',
      () => pageOf([entry]),
    )
    await screen.findByText('changed the retailer Corner Shop')
    expect(asked).toEqual([
      {
        who: 'northbeck',
        noun: 'retailer',
        supplierId: 2,
        subjectId: 3,
        from: new Date('2026-01-01T00:00').toISOString(),
        direction: 'forward',
      },
    ])
    await userEvent.selectOptions(screen.getByLabelText('What'), 'connection.sync')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ action: 'connection.sync' }))
    expect(router.state.location.search).toEqual({
      who: 'northbeck',
      what: 'connection.sync',
      supplier: 2,
      from: '2026-01-01',
    })
    const href = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    expect(href).toMatch(/^\/api\/admin\/audit\.csv\?who=northbeck&action=connection\.sync&from=/)
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('shows older entries on request', async () => {
    const older = { ...entry, id: 6, subjectName: 'Harbour' }
    const { asked } = renderLog('/audit', ({ cursor }) =>
      cursor === undefined ? pageOf([entry], '5-6') : pageOf([older]),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Show older' }))
    await screen.findByText('changed the retailer Harbour')
    expect(asked.at(-1)).toMatchObject({ cursor: '5-6' })
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  it('says that nothing matches, and retries what could not be loaded', async () => {
    let isDown = true
    renderLog('/audit?who=nobody', () => {
      if (isDown) throw new Refusal(500, 'Internal server error')
      return pageOf([])
    })
    await screen.findByText('The entries could not be loaded')
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('No matching entries')).toBeDefined()
  })

  it('shows a supplier its own part, and exports that as it is filtered', async () => {
    const byAdministrator = { ...entry, actorName: 'An administrator', address: null }
    renderLog('/supplier/activity?who=corner', () => pageOf([byAdministrator]), supplierUser)
    await screen.findByText('changed the retailer Corner Shop')
    const href = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    expect(href).toBe('/api/activity.csv?who=corner')
    const choices = within(screen.getByLabelText('What')).getAllByRole('option')
    expect(choices.map(({ textContent }) => textContent)).not.toContain('Jobs: everything')
  })
})

describe('viewing as another user', () => {
  it('shows whom and until when, and stops on request, at the heading of the dashboard', async () => {
    const viewedUntil = new Date(Date.now() + 600_000).toISOString()
    let isViewAs = true
    renderApp('/supplier/activity', { ...supplierUser, viewedUntil } as typeof supplierUser, {
      'audit.page': () => pageOf([]),
      'session.current': () => (isViewAs ? { ...supplierUser, viewedUntil } : adminUser),
      'viewings.stop': () => {
        isViewAs = false
        return { message: '' }
      },
    })
    const banner = (await screen.findByText(/read-only/)).closest('output')
    expect(banner?.textContent).toMatch(/^Viewing as Northbeck Outdoor · read-only · until/)
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(screen.queryByText(/read-only/)).toBeNull())
    expect(screen.getByTitle('admin').textContent).toBe('Welcome back, admin')
    const heading = screen.getByRole('heading', { level: 1, name: 'Supplier Management' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })
})
