import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { ListedSupplier, SupplierOverview } from '../../shared/schemas/supplier'
import { adminUser, Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import {
  sampleConnection,
  sampleOverview,
  sampleRetailer,
  sampleStorage,
} from '../testing/sample-records'

const supplier: SupplierOverview = {
  ...supplierUser,
  maxRetailers: 50,
  retailerCount: 12,
  publishedAt: new Date(Date.now() - 7_260_000).toISOString(),
  pausedDestinationCount: 0,
  pausedDestinations: [],
  connection: sampleConnection,
  deletionAt: null,
}
const failed = {
  ...sampleConnection,
  status: 'failed',
  lastError: 'The server answered 503.',
  consecutiveFailures: 3,
} as const

const pageOf = (rows: unknown[]) => ({
  rows,
  matchCount: rows.length,
  totalCount: rows.length,
  page: 1,
  pageCount: 1,
})

const answersFor = (overview: SupplierOverview): Answers => ({
  'operations.overview': () => sampleOverview,
  'operations.storage': () => sampleStorage,
  'suppliers.page': () => pageOf([overview satisfies ListedSupplier]),
  'suppliers.get': () => overview,
  'suppliers.retailers': () => pageOf([sampleRetailer]),
  'connections.runs': () => [],
  'timeline.page': () => ({ items: [], next: null }),
  'timeline.figures': () => [],
  'connections.findings': () => ({ message: 'None' }),
  'people.list': () => [],
  'invitations.people': () => ({ invitations: [], openCount: 0, hasMail: true }),
})

const renderAs = (path: string, overview = supplier, answers: Answers = {}) =>
  renderApp(path, adminUser, { ...answersFor(overview), ...answers })
const renderPage = (overview = supplier, answers: Answers = {}) =>
  renderAs('/dashboard/super-admin/suppliers/2', overview, answers)

describe('the list of suppliers', () => {
  const findLine = async (text: string) => (await screen.findByText(text)).closest('tbody')

  it('shows the health of each connection, the last publication and the retailers in use', async () => {
    renderAs('/')
    const line = await findLine('Synced')
    expect(line?.textContent).toContain('Published 2 hours ago')
    expect(line?.textContent).toContain('12 of 50 retailers')
  })

  it('shows why the last sync failed', async () => {
    renderAs('/', { ...supplier, connection: failed, publishedAt: null })
    const line = await findLine('Failed')
    expect(line?.textContent).toContain('The server answered 503.')
    expect(line?.textContent).toContain('Nothing published yet')
  })

  it('shows how many destinations of its retailers are paused', async () => {
    renderAs('/', { ...supplier, pausedDestinationCount: 2 })
    expect((await findLine('2 destinations paused'))?.textContent).toContain('12 of 50 retailers')
  })

  it('says that a supplier has no connection yet', async () => {
    renderAs('/', { ...supplier, connection: null, publishedAt: null })
    expect((await findLine('No connection yet'))?.textContent).not.toContain('published')
  })

  it('opens the page of a supplier, which leads back to the list as it was', async () => {
    const { router } = renderAs('/?q=north')
    await userEvent.click(await screen.findByRole('link', { name: 'Northbeck Outdoor' }))
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Northbeck Outdoor' }),
    ).toBeDefined()
    await userEvent.click(await screen.findByRole('button', { name: 'Created At' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'createdAt' }))
    await userEvent.click(screen.getByRole('link', { name: 'All suppliers' }))
    const heading = await screen.findByRole('heading', { level: 1, name: 'Supplier Management' })
    expect(heading).toBeDefined()
    expect(router.state.location.search).toEqual({ q: 'north' })
  })
})

describe('the page of a supplier', () => {
  it('shows its connection, runs and retailers', async () => {
    renderPage()
    const account = await screen.findByRole('region', { name: 'Account' })
    expect(account.textContent).toContain('12 of 50 retailers')
    const health = screen.getByRole('region', { name: 'Health of Spring catalogue' })
    expect(within(health).getByText('Synced')).toBeDefined()
    expect(screen.getByText('https://example.com/a.csv')).toBeDefined()
    expect(await screen.findByText('No file is published yet')).toBeDefined()
    const retailers = await screen.findByRole('table', { name: 'Retailers' })
    expect(await within(retailers).findByText('Store 1')).toBeDefined()
    expect(screen.getByRole('region', { name: 'Run history' })).toBeDefined()
    expect(document.title).toContain('Northbeck Outdoor')
  })

  it('shows which destinations of its retailers are paused, and leads to what each retailer sees', async () => {
    const since = new Date(Date.now() - 7_260_000).toISOString()
    const destination = {
      id: 4,
      name: 'Warehouse',
      kind: 'sftp',
      userId: 9,
      storeName: 'Corner Shop',
      pausedAt: since,
      reason: 'The server answered 503.',
    } as const
    const asked: unknown[] = []
    const paused = { ...supplier, pausedDestinationCount: 3, pausedDestinations: [destination] }
    renderPage(paused, { 'viewings.begin': (input) => void asked.push(input) })
    const panel = await screen.findByRole('region', { name: 'Paused destinations' })
    expect(panel.textContent).toMatch(
      /Corner Shop, Warehouse: since 2 hours ago.*The server answered 503\..*and 2 more/,
    )
    await userEvent.click(within(panel).getByRole('button', { name: 'View as Corner Shop' }))
    await waitFor(() => expect(asked).toEqual([expect.objectContaining({ userId: 9 })]))
  })

  it('offers no change of the connection or of a retailer', async () => {
    renderPage({ ...supplier, connection: failed })
    await screen.findByText('Store 1')
    await screen.findByRole('button', { name: 'Invite a person' })
    const names = within(screen.getByRole('main'))
      .getAllByRole('button')
      .map((button) => button.textContent || button.ariaLabel)
    expect(names).toEqual([
      'View as',
      'Reset Password',
      'Edit',
      'Store Name',
      'Store URL',
      'Created At',
      'View as Store 1',
      'People of Store 1',
      'Invite a person',
      'Delete supplier…',
    ])
  })

  it('says that there is no connection yet', async () => {
    renderPage({ ...supplier, connection: null })
    expect(await screen.findByText('No connection yet')).toBeDefined()
    expect(screen.queryByText('Run history')).toBeNull()
  })

  it('resets the password', async () => {
    const inputs: unknown[] = []
    renderPage(supplier, {
      'users.resetPassword': (input) => {
        inputs.push(input)
        return { message: 'Password updated' }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Reset Password' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reset Password' })
    await userEvent.type(within(dialog).getByLabelText('New Password'), 'another horse')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reset Password' }))
    expect(await screen.findByText('Password updated successfully')).toBeDefined()
    expect(inputs).toEqual([{ userId: 2, newPassword: 'another horse' }])
  })

  it('edits the supplier in the dialog of the list', async () => {
    renderPage()
    await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Supplier' })
    const field = within(dialog).getByLabelText<HTMLInputElement>('Company Name')
    expect(field.value).toBe('Northbeck Outdoor')
  })

  it('is not found for an unknown id, or one that is no id', async () => {
    const { unmount } = renderPage(supplier, {
      'suppliers.get': () => {
        throw new Refusal(404, 'Supplier not found')
      },
    })
    expect(await screen.findByText('Supplier not found')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to all suppliers' })).toBeDefined()
    unmount()
    renderAs('/dashboard/super-admin/suppliers/0x2')
    expect(await screen.findByText('Supplier not found')).toBeDefined()
  })

  it('retries on Try Again when it could not be loaded', async () => {
    let isDown = true
    renderPage(supplier, {
      'suppliers.get': () => {
        if (isDown) throw new Refusal(500, 'Internal server error')
        return supplier
      },
    })
    expect(await screen.findByText('The supplier could not be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('region', { name: 'Account' })).toBeDefined()
  })
})
