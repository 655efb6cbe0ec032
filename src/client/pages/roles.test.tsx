import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { MemberRole } from '../../shared/constants'
import type { CurrentUser } from '../../shared/schemas/user'
import { answerCategories } from '../testing/category-answers'
import { sampleMailInbox, waitingMail } from '../testing/mail-answers'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection, sampleRetailer, sampleVersion } from '../testing/sample-records'
import { activeLink } from '../testing/secret-link-answers'
import { sampleLogin, sampleServer } from '../testing/sftp-answers'
import { answerShop, waitingAddress } from '../testing/shop-answers'
import { listActions } from '../testing/shown-actions'

const LETTERS = { O: 'OWNER', E: 'EDITOR', V: 'VIEWER', B: 'BUYER', T: 'TECHNICIAN' } as const
type Letter = keyof typeof LETTERS

const as = (role: MemberRole): CurrentUser => ({
  ...supplierUser,
  ...(role === 'BUYER' || role === 'TECHNICIAN' ? { id: 101, role: 'RETAILER' } : {}),
  member: { id: 7, role },
})
const retailerOwner: CurrentUser = { ...as('BUYER'), member: { id: 7, role: 'OWNER' } }

const held = sampleVersion(3, { state: 'held', holdReasons: ['Half of the rows are gone.'] })
const webhook = {
  id: 3,
  url: 'https://example.com/hook',
  kinds: ['feed.failed'],
  isActive: false,
  switchedOffAt: '2026-01-15T08:30:00.000Z',
  createdAt: '2026-01-15T08:30:00.000Z',
  last: null,
}
const invitation = {
  id: 5,
  kind: 'RETAILER',
  name: 'Corner Shop',
  role: null,
  email: 'me@corner.example',
  state: 'open',
  mailState: 'sent',
  renewedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  endedAt: null,
  acceptedBy: null,
}
const page = { rows: [sampleRetailer], matchCount: 1, totalCount: 1, page: 1, pageCount: 1 }

const SUPPLIER_ANSWERS: Answers = {
  'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
  'secondFactor.get': () => ({ since: null, recoveryCodesLeft: 0, hasPassword: true }),
  'passkeys.list': () => ({ passkeys: [], origin: null, program: null }),
  'alerts.choices': () => ({
    choices: [],
    mail: { isAvailable: false, address: null, pendingAddress: null },
  }),
  'webhooks.list': () => [webhook],
  'connections.list': () => [sampleConnection],
  'connections.runs': () => [],
  'connections.findings': () => ({ message: 'None' }),
  'receivedFiles.list': () => [],
  'uploadLinks.list': () => [activeLink],
  'sftpLogins.ofConnection': () => ({ server: sampleServer, login: sampleLogin }),
  'mailInboxes.get': () => ({ isAvailable: true, inbox: sampleMailInbox }),
  'mails.list': () => [waitingMail],
  'publishing.guard': () => ({
    minRowsPercent: 50,
    minQuantityPercent: 50,
    maxLostKeysPercent: 25,
    needsColumns: true,
  }),
  'publishing.versions': () => ({
    versions: [held, sampleVersion(2, { state: 'current' }), sampleVersion(1)],
    kept: { versions: 30, days: 90 },
    maxPinned: 10,
  }),
  'columnPolicy.get': () => ({
    policy: { hidden: [], roles: {}, decimalMark: null },
    columns: [{ name: 'sku', sample: 'A1' }],
    columnCount: 1,
    found: { sku: 'sku', quantity: null, barcode: null, price: null },
    numbers: [],
  }),
  'timeline.page': () => ({ items: [], next: null }),
  'timeline.figures': () => [],
  'retailers.page': () => page,
  'retailers.get': () => sampleRetailer,
  'retailers.usage': () => [],
  'groups.list': () => [],
  'groups.ofRetailer': () => ({ retailerId: 1, groupId: null, groupName: null, own: [] }),
  'retailers.prices': () => ({
    priceRules: null,
    columns: { isKnown: true, cost: 'cost', price: null, isPriceHidden: false },
  }),
  'feedAddresses.list': () => [],
  'profiles.get': () => ({ profile: { kind: 'asIs' }, columns: [], problems: null }),
  'retailers.readers': () => ({ total: 1, day: 0, behind: 0, silent: 0, never: 1, paused: 0 }),
  'retailers.downloads': () => [],
  'invitations.list': () => ({ invitations: [invitation], openCount: 1, hasMail: true }),
  'suppliers.profile': () => ({
    companyName: 'Northbeck Outdoor',
    publicEmail: null,
    publicPhone: null,
    publicWebsite: null,
  }),
}

const RETAILER_ANSWERS: Answers = {
  ...answerShop([waitingAddress]).answers,
  'app.info': () => ({ appName: 'Stockbridge', publicUrl: null, servesSftp: true }),
  'sftpLogins.ofRetailer': () => ({ server: sampleServer, login: sampleLogin }),
  'alerts.list': SUPPLIER_ANSWERS['alerts.list']!,
  'secondFactor.get': SUPPLIER_ANSWERS['secondFactor.get']!,
  'passkeys.list': SUPPLIER_ANSWERS['passkeys.list']!,
  'retailers.supplier': () => null,
  'retailers.changes': () => null,
  'retailers.rowCounts': () => [],
  'retailers.inventory': () => ({
    fileName: '1.csv',
    downloadUrl: '/api/1.csv',
    dataAsOf: '2026-01-15T08:30:00.000Z',
    freshness: 'on-time',
    newerFile: null,
    nextUpdateAt: null,
    fileSize: 20_000,
    rowCount: 1_204,
    columns: ['sku'],
    columnCount: 1,
    rows: [['A1']],
    skuColumn: 'sku',
    quantityColumn: null,
    isWorkbook: false,
  }),
}

/** What each role is offered, by the letters of those who are, and what everybody sees when all has been loaded. */
interface PageRow {
  path: string
  last: string
  actions: Record<string, string>
}

const SUPPLIER_PAGES: PageRow[] = [
  {
    path: '/supplier/connections',
    last: 'Send by SFTP',
    actions: {
      'Spring catalogue is active': 'OE',
      'Sync now Spring catalogue': 'OE',
      'Edit Spring catalogue': 'OE',
      'Download it': 'OEV',
      'Publish anyway': 'OE',
      Discard: 'OE',
      'Compare with published': 'OEV',
      'Change checks': 'OE',
      'Change columns': 'OE',
      'Check a file first': 'OE',
      Replace: 'OE',
      Revoke: 'OE',
      'New password': 'OE',
      'Add key': 'OE',
      'Change senders': 'OE',
      'All files': 'OEV',
    },
  },
  {
    path: '/supplier/connections/1/history',
    last: 'Files',
    actions: {
      'Publish the file of Jan 15, 2026, 8:30 AM': 'OE',
      'Pin the file of Jan 15, 2026, 8:30 AM': 'OE',
      'Compare the file of Jan 15, 2026, 8:30 AM': 'OEV',
      'Download the file of Jan 15, 2026, 8:30 AM': 'OEV',
    },
  },
  {
    path: '/supplier/retailers',
    last: 'Invitations',
    actions: {
      'Add Retailer': 'OE',
      'Add several': 'OE',
      Invite: 'OE',
      'Select Store 1': 'OE',
      'Edit Store 1': 'OE',
      'Settings of Store 1': 'OE',
      'Delete Store 1': 'OE',
      'Preview as Store 1': 'OEV',
      'Send again the invitation of Corner Shop': 'OE',
      'Copy the link of Corner Shop': 'OE',
      'Withdraw the invitation of Corner Shop': 'OE',
      'Export CSV': 'OEV',
    },
  },
  {
    path: '/supplier/retailers/1',
    last: 'Reads of the file',
    actions: { Save: 'OE', 'Preview as this retailer': 'OEV', 'Change the prices': 'OE' },
  },
  {
    path: '/supplier',
    last: 'Readers',
    actions: { 'See Retailers': 'OE', 'Open Connections': 'OEV' },
  },
  {
    path: '/supplier/settings',
    last: 'Company profile',
    actions: { Save: 'O', 'Change Password': 'OEV' },
  },
  {
    path: '/alerts',
    last: 'Webhooks',
    actions: {
      'Add Webhook': 'OE',
      'Send a test to https://example.com/hook': 'OE',
      'Log of https://example.com/hook': 'OEV',
      'Edit https://example.com/hook': 'OE',
      'Delete https://example.com/hook': 'OE',
      'Switch on https://example.com/hook': 'OE',
    },
  },
]

const RETAILER_PAGES: PageRow[] = [
  {
    path: '/retailer',
    last: 'Download history',
    actions: { Download: 'OB', 'Inventory Preview': 'OBT' },
  },
  {
    path: '/retailer/inventory',
    last: 'Data Source',
    actions: {
      'Download as Excel': 'OB',
      'Download Full File': 'OB',
      'Browse all rows': 'OB',
      Refresh: 'OBT',
    },
  },
  {
    path: '/retailer/settings',
    last: 'Store Information',
    actions: { 'Edit Store Information': 'O', 'Change Password': 'OBT' },
  },
  {
    path: '/retailer/shop?shop=woocommerce',
    last: 'Fetch by SFTP',
    actions: {
      'Use this format': 'OT',
      Replace: 'OT',
      Revoke: 'OT',
      'New password': 'OT',
      'Add key': 'OT',
    },
  },
]

const listOffered = ({ actions }: PageRow, letter: Letter) =>
  Object.keys(actions).filter((name) => actions[name]?.includes(letter))

/** Opens a page and returns which of these actions are shown once all are that should be. */
async function see(row: PageRow, letter: Letter, user: CurrentUser) {
  renderApp(row.path, user, user.role === 'SUPPLIER' ? SUPPLIER_ANSWERS : RETAILER_ANSWERS)
  await screen.findByRole('heading', { name: row.last }, { timeout: 5_000 })
  const shown = () => Object.keys(row.actions).filter((name) => listActions().includes(name))
  const all = expect.arrayContaining(listOffered(row, letter))
  await waitFor(() => expect(shown()).toEqual(all), { timeout: 5_000 })
  expect(screen.queryAllByText(/could not be loaded/)).toEqual([])
  return shown()
}

describe.each(['O', 'E', 'V'] as const)('a person of a supplier (%s)', (letter) => {
  it.each(SUPPLIER_PAGES)('is offered at $path what the role includes', async (row) => {
    expect(await see(row, letter, as(LETTERS[letter]))).toEqual(listOffered(row, letter))
  })
})

describe.each(['O', 'B', 'T'] as const)('a person of a retailer (%s)', (letter) => {
  it.each(RETAILER_PAGES)('is offered at $path what the role includes', async (row) => {
    const user = letter === 'O' ? retailerOwner : as(LETTERS[letter])
    expect(await see(row, letter, user)).toEqual(listOffered(row, letter))
  })
})

describe('fields that a role may not change', () => {
  it.each([
    ['/supplier/retailers/1', 'VIEWER', 'Data Delivery Method', /Owners and editors/],
    ['/supplier/settings', 'EDITOR', 'Company Name', /^Owners of your company/],
    ['/retailer', 'BUYER', 'File Format', /Owners and technicians/],
    ['/retailer/shop', 'BUYER', 'Format', /Owners and technicians/],
  ] as const)('are read, and say who changes them: %s for %s', async (path, role, label, who) => {
    renderApp(path, as(role), { ...SUPPLIER_ANSWERS, ...RETAILER_ANSWERS })
    const [field] = await screen.findAllByLabelText(label)
    expect(field?.matches(':disabled') || field?.closest('fieldset[disabled]')).toBeTruthy()
    expect(screen.getAllByText(who).length).toBeGreaterThan(0)
  })
})

describe('the categories of a retailer', () => {
  const { file, answers } = answerCategories([{ label: 'Boots', rows: 4 }], 4)
  const visibilitySettings = { allProducts: false, categories: ['Boots'] }

  it.each([
    ['VIEWER', 'true', 0],
    ['EDITOR', 'false', 1],
  ] as const)(
    'are chosen by who may, and only seen by others: %s',
    async (role, checked, saves) => {
      renderApp('/supplier/retailers/1', as(role), {
        ...SUPPLIER_ANSWERS,
        ...answers,
        'categories.overview': () => file,
        'retailers.get': () => ({ ...sampleRetailer, visibilitySettings }),
      })
      const boots = await screen.findByRole('treeitem', { name: /^Boots/ })
      // As browsers do, also within a fieldset that is disabled.
      fireEvent.click(boots)
      expect(boots.getAttribute('aria-checked')).toBe(checked)
      expect(boots.getAttribute('aria-disabled')).toBe(role === 'VIEWER' ? 'true' : null)
      expect(screen.queryAllByRole('button', { name: 'Save' })).toHaveLength(saves)
    },
  )
})

describe('a page that is opened to add something', () => {
  it.each(['/supplier/retailers?add=true', '/supplier/connections?add=true'])(
    'opens no dialog for a viewer: %s',
    async (path) => {
      renderApp(path, as('VIEWER'), { ...SUPPLIER_ANSWERS, 'connections.list': () => [] })
      await screen.findByRole('heading', { level: 1 })
      await screen.findAllByText(/Owners and editors of your company connect|Store 1/)
      expect(screen.queryByRole('dialog')).toBeNull()
    },
  )
})

describe('the palette', () => {
  const openPalette = async (role: MemberRole, path: string, answers: Answers) => {
    renderApp(path, as(role), answers)
    await screen.findByRole('heading', { level: 1 })
    await userEvent.keyboard('{Control>}k{/Control}')
    await screen.findByPlaceholderText('Go to …')
    return () => screen.getAllByRole('option').map(({ textContent }) => textContent)
  }

  it('offers no sync and no new retailer to a viewer', async () => {
    const options = await openPalette('VIEWER', '/supplier/settings', SUPPLIER_ANSWERS)
    expect(options()).not.toContain('Add Retailer')
    expect(options().filter((text) => text?.startsWith('Sync now'))).toEqual([])
  })

  it('searches no rows for a technician, who may not browse', async () => {
    const asked: unknown[] = []
    await openPalette('TECHNICIAN', '/retailer/settings', {
      ...RETAILER_ANSWERS,
      'retailers.rows': (input: unknown) => asked.push(input),
    })
    await userEvent.keyboard('boot')
    await screen.findByText('boot')
    expect(asked).toEqual([])
  })
})

describe('the menu of a person', () => {
  it.each([
    ['VIEWER', 'Viewer · Northbeck Outdoor'],
    ['BUYER', 'Buyer · Store 1'],
  ] as const)('says the role and for whom: %s', async (role, text) => {
    const answers = role === 'VIEWER' ? SUPPLIER_ANSWERS : RETAILER_ANSWERS
    renderApp(role === 'VIEWER' ? '/supplier/settings' : '/retailer/settings', as(role), answers)
    await userEvent.click(await screen.findByRole('button', { name: /account of northbeck/ }))
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.getByRole('menuitem', { name: 'People' })).toBeDefined()
  })
})
