import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

import { mergedRulesSchema, type ShownMergedFile } from '../../shared/schemas/merged-file'
import { shopFormatSchema } from '../../shared/schemas/shop-format'
import type { CurrentUser } from '../../shared/schemas/user'
import { sampleDestinations } from '../testing/destination-answers'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { ownRetailer } from '../testing/sample-records'
import { activeLink } from '../testing/secret-link-answers'

const shop: CurrentUser = { ...supplierUser, id: 3, username: 'corner', role: 'RETAILER' }
const relations = [
  { id: 1, supplierName: 'Northbeck', storeName: 'Corner' },
  { id: 2, supplierName: 'Summit', storeName: 'Corner' },
]

type Part = NonNullable<ShownMergedFile['relations'][number]['part']>
const part = (prefix: string, changes: Partial<Part> = {}): Part => ({
  prefix,
  currency: null,
  costColumn: null,
  rowCount: 1200,
  dataAsOf: '2026-01-01T00:00:00.000Z',
  freshness: 'on-time',
  isStale: false,
  isInactive: false,
  problems: [],
  failure: null,
  ...changes,
})

const none: ShownMergedFile = {
  settings: null,
  relations: [
    { retailerId: 1, supplier: 'Northbeck', part: null },
    { retailerId: 2, supplier: 'Summit', part: null },
  ],
  file: null,
  failure: null,
  isBeingMade: false,
  versions: [],
  readCount: 0,
  addresses: [],
}
const facts = {
  madeAt: '2026-01-01T00:00:00.000Z',
  rowCount: 2100,
  sharedCount: 300,
  unmatchedCount: 40,
}
const made: ShownMergedFile = {
  ...none,
  settings: {
    rules: mergedRulesSchema.parse({}),
    profile: shopFormatSchema.parse({}),
    matchedItems: null,
  },
  relations: [
    { retailerId: 1, supplier: 'Northbeck', part: part('N-') },
    { retailerId: 2, supplier: 'Summit', part: part('S-') },
  ],
  file: { ...facts, problems: [{ line: null, message: 'Costs were not compared.', count: 7 }] },
  versions: [facts],
  addresses: [activeLink],
}

function open(shown: ShownMergedFile, user = shop, answers: Answers = {}) {
  const calls: [string, unknown][] = []
  const told = (name: string) => (input: unknown) => {
    calls.push([name, input])
    return { message: 'Done' }
  }
  const app = renderApp('/retailer/merged-file', user, {
    'retailers.own': () => ({ ...ownRetailer, relations }),
    'mergedFile.get': () => shown,
    'mergedDestinations.list': () => sampleDestinations([]),
    'mergedFile.save': told('save'),
    'mergedFile.remove': told('remove'),
    'mergedFile.revokeAddresses': told('revoke'),
    ...answers,
  })
  return { ...app, calls }
}

const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (name: string | RegExp) => userEvent.click(await findButton(name))
const byRole = (role: 'BUYER' | 'TECHNICIAN'): CurrentUser => ({ ...shop, member: { id: 9, role } })
const noteOf = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

async function openMenu() {
  await press('Open the menu')
  return screen.findByRole('navigation', { name: 'Main' })
}

beforeEach(() => localStorage.clear())

describe('a retailer without a merged file', () => {
  it('is told what it is, and makes it of all its suppliers with one button', async () => {
    const { calls } = open(none)
    await screen.findByText(/Items that several suppliers have become one/)
    await press('Move Summit up')
    await press('Make the merged file')
    const parts = [
      { retailerId: 2, prefix: 'SUMM-', currency: null, costColumn: null },
      { retailerId: 1, prefix: 'NORT-', currency: null, costColumn: null },
    ]
    const rules = { quantity: 'cheapest', priceRules: null, maxAgeHours: null, currency: null }
    await waitFor(() =>
      expect(calls).toEqual([['save', { rules, parts, profile: shopFormatSchema.parse({}) }]]),
    )
  })

  it('is told which supplier’s prefix cannot be used, and keeps what was typed', async () => {
    const refuse = () => {
      throw new Refusal(400, 'The prefix is taken', { 'parts.1.prefix': 'The prefix is taken' })
    }
    open(none, shop, { 'mergedFile.save': refuse })
    const prefix = await screen.findByRole('textbox', { name: 'Prefix of Summit' })
    await userEvent.clear(prefix)
    await userEvent.type(prefix, '12')
    await press('Make the merged file')
    await waitFor(() => expect(noteOf(prefix)).toContain('needs a character that is no digit'))
    await userEvent.type(prefix, '-x')
    await press('Make the merged file')
    await waitFor(() => expect(noteOf(prefix)).toContain('The prefix is taken'))
    expect((prefix as HTMLInputElement).value).toBe('12-x')
  })

  it('makes none with one supplier, which has no such item in its menu', async () => {
    open({ ...none, relations: none.relations.slice(0, 1) }, shop, {
      'retailers.own': () => ownRetailer,
    })
    expect(await screen.findByText('For two suppliers or more')).toBeDefined()
    const menu = await openMenu()
    expect(within(menu).queryByRole('link', { name: 'Merged file' })).toBeNull()
  })
})

describe('a merged file', () => {
  it('is in the menu, and tells what is in it and how its parts are', async () => {
    open({
      ...made,
      relations: [
        { retailerId: 1, supplier: 'Northbeck', part: part('N-', { freshness: 'late' }) },
        { retailerId: 2, supplier: 'Summit', part: part('S-', { failure: 'It has no quantity.' }) },
      ],
    })
    expect((await screen.findAllByText('2,100')).length).toBeGreaterThan(0)
    const menu = await openMenu()
    expect(within(menu).getByRole('link', { name: 'Merged file' })).toBeDefined()
    for (const text of [
      'Late',
      'Cannot be used',
      'The newest file cannot be used: It has no quantity. The part stays as it was.',
      'Costs were not compared. (7 times)',
    ]) {
      expect(screen.getByText(text)).toBeDefined()
    }
  })

  it('tells that it is being made, and that suppliers have no file yet', async () => {
    const empty = { ...made, file: null, versions: [] }
    const { unmount } = open({ ...empty, isBeingMade: true })
    expect(await screen.findByRole('progressbar', { name: 'Making the merged file' })).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Download' })).toBeNull()
    unmount()
    open({ ...empty, failure: 'Too many columns.' })
    expect(await screen.findByText('Too many columns.')).toBeDefined()
  })

  it('is changed: quantity, prices by tiers, and the age of data', async () => {
    const { calls } = open(made)
    await userEvent.click(
      await screen.findByRole('combobox', { name: 'Of an item that several have' }),
    )
    await userEvent.click(await screen.findByRole('option', { name: 'The sum of all' }))
    expect(screen.getByText('Northbeck has 2, Summit has 3: the file has 5.')).toBeDefined()
    await userEvent.click(screen.getByRole('switch', { name: /^Make prices of costs/ }))
    const type = async (tier: number, name: string, text: string) => {
      const field = within(screen.getByRole('group', { name: `Tier ${tier}` })).getByLabelText(name)
      await userEvent.clear(field)
      await userEvent.type(field, text)
    }
    await type(1, 'Percent', '40')
    await press('Add a tier')
    await press('Save')
    const wrong = within(screen.getByRole('group', { name: 'Tier 2' })).getByLabelText('Costs from')
    await waitFor(() => expect(noteOf(wrong)).toContain('The cost must be a number such as 12.50'))
    await type(2, 'Costs from', '20')
    await userEvent.type(screen.getByLabelText(/^Round up to these cents/), '99')
    await userEvent.type(screen.getByLabelText(/^Old data count as 0/), '48')
    await press('Save')
    const tiers = [
      { from: '0', percent: '40', fixed: '0' },
      { from: '20', percent: '0', fixed: '0' },
    ]
    await waitFor(() =>
      expect(calls[0]?.[1]).toMatchObject({
        rules: { quantity: 'sum', priceRules: { tiers, ending: 99 }, maxAgeHours: 48 },
        parts: [{ prefix: 'N-' }, { prefix: 'S-' }],
      }),
    )
  })

  it('is written in another form, with all else as it is', async () => {
    const { calls } = open(made)
    await userEvent.click(await screen.findByRole('combobox', { name: 'Format' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Stock' }))
    await press('Save')
    await waitFor(() =>
      expect(calls[0]?.[1]).toMatchObject({
        profile: { kind: 'stock' },
        rules: { quantity: 'cheapest' },
        parts: [{ prefix: 'N-' }, { prefix: 'S-' }],
      }),
    )
  })

  it('is matched by a file of the retailer’s, of which it tells what was used', async () => {
    const { XMLHttpRequest } = globalThis
    const answers = [
      [400, { message: 'A matching file needs the columns' }],
      [200, { used: 12, unusable: 3, repeated: 1 }],
    ] as const
    const sent: unknown[] = []
    globalThis.XMLHttpRequest = class {
      upload = {}
      status = 0
      responseText = ''
      onload?: () => void
      open = (...address: string[]) => sent.push(address.join(' '))
      setRequestHeader = () => {}
      send = (file: File) => {
        const [status, answer] =
          answers[sent.filter((one) => String(one).startsWith('PUT')).length - 1]!
        sent.push(file.name)
        this.status = status
        this.responseText = JSON.stringify(answer)
        this.onload?.()
      }
    } as never
    open(made, shop)
    const field = await screen.findByLabelText('Matching file')
    await userEvent.upload(field, new File(['a'], 'other.csv'))
    expect((await screen.findByRole('alert')).textContent).toContain('needs the columns')
    await userEvent.upload(field, new File(['a'], 'mine.xlsx'))
    const counts = await screen.findByRole('status', { name: 'What was read' })
    expect(counts.textContent).toBe('Used12Unusable3Repeated1')
    expect(screen.queryByRole('alert')).toBeNull()
    const address = 'PUT /api/merged-file/matching-file'
    expect(sent).toEqual([address, 'other.csv', address, 'mine.xlsx'])
    globalThis.XMLHttpRequest = XMLHttpRequest
  })

  it('gets a new address, and loses it', async () => {
    let addresses: ShownMergedFile['addresses'] = []
    const { calls } = open(made, shop, {
      'mergedFile.get': () => ({ ...made, addresses }),
      'mergedFile.createAddress': () => {
        addresses = [activeLink]
        return { path: '/feeds/secret/inventory.csv' }
      },
    })
    await press('Create address')
    expect(
      await screen.findByText('https://stock.example/feeds/secret/inventory.csv'),
    ).toBeDefined()
    await press('Revoke')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(calls.map(([name]) => name)).toEqual(['revoke']))
  })

  it('is removed after a question', async () => {
    const { calls } = open(made)
    await press('Remove')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(calls).toEqual([['remove', undefined]]))
  })
})

describe('the people of the company', () => {
  it('buyers read it and change nothing', async () => {
    open(made, byRole('BUYER'))
    await screen.findByRole('combobox', { name: 'Format' })
    const field = await screen.findByRole('combobox', { name: 'Of an item that several have' })
    expect((field.closest('fieldset') as HTMLFieldSetElement).disabled).toBe(true)
    expect(screen.getByRole('link', { name: 'Download' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Unmatched items' })).toBeDefined()
    for (const name of [/^Move /, /^Leave out /, /^Add a tier/, 'Replace', 'Revoke', 'Remove']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
    expect(screen.queryByLabelText('Matching file')).toBeNull()
  })

  it('technicians change it and download nothing', async () => {
    open(made, byRole('TECHNICIAN'))
    await findButton('Move Summit up')
    expect(await findButton('Replace')).toBeDefined()
    expect(await screen.findByLabelText('Matching file')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Download' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Unmatched items' })).toBeNull()
  })

  it('buyers of a company without one are told who makes it', async () => {
    open(none, byRole('BUYER'))
    expect(
      await screen.findByText(/Owners and technicians of your company change it/),
    ).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Make the merged file' })).toBeNull()
  })
})
