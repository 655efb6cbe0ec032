import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { RetailerGroup } from '../../shared/schemas/group'
import type { PriceColumns, RetailerPrices } from '../../shared/schemas/price-rules'
import { shopFormatSchema } from '../../shared/schemas/shop-format'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const COLUMNS: PriceColumns = { isKnown: true, cost: 'EK', price: 'VK', isPriceHidden: false }
const TIER = { from: '0', percent: '25', fixed: '1' }
const group: RetailerGroup = {
  id: 3,
  supplierId: 1,
  name: 'Boutiques',
  isForNewcomers: false,
  visibilitySettings: { allProducts: true, categories: [] },
  syncFrequency: 60,
  profile: shopFormatSchema.parse({}),
  priceRules: { tiers: [TIER], ending: 99, showsCost: false },
  memberCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
}

function open(path: string, answers: Answers = {}) {
  const calls: [string, unknown][] = []
  const { visibilitySettings: _seen, profile: _format, priceRules: _rules, ...shared } = group
  const listed = { ...shared, allProducts: true, formatKind: 'asIs', deviatingCount: 0 }
  renderApp(path, supplierUser, {
    'groups.list': () => [listed],
    'groups.get': () => group,
    'groups.priceColumns': () => COLUMNS,
    'groups.ofRetailer': () => ({ retailerId: 1, groupId: null, groupName: null, own: [] }),
    'groups.update': (input: unknown) => {
      calls.push(['group', input])
      return group
    },
    'retailers.get': () => ({ ...sampleRetailer, id: 1 }),
    'retailers.usage': () => [],
    'retailers.prices': (): RetailerPrices => ({ priceRules: null, columns: COLUMNS }),
    'retailers.savePrices': (input: unknown) => {
      calls.push(['retailer', input])
      return { message: 'Prices saved' }
    },
    'connections.list': () => [],
    ...answers,
  })
  return calls
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** The page of a retailer has a form of its own. */
const save = async () =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }))

const switchPrices = async () =>
  userEvent.click(await screen.findByRole('switch', { name: /^Make prices of costs/ }))

async function type(name: string, text: string) {
  const field = await within(await screen.findByRole('dialog')).findByLabelText(name)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

describe('the prices that a retailer sees', () => {
  it('are made of costs by rules, of which an example is told while they are typed', async () => {
    const calls = open('/supplier/retailers/1')
    expect(await screen.findByText('As in your file')).toBeDefined()
    await press('Change the prices')
    await switchPrices()
    expect(screen.getByText(/^A cost of 10\.00 becomes 10\.00\./)).toBeDefined()
    await type('Percent', '25')
    await type('Plus amount', '1')
    await type('Round up to these cents', '99')
    expect(screen.getByText(/^A cost of 10\.00 becomes 13\.99\./)).toBeDefined()
    await type('Percent', 'many')
    expect(screen.queryByText(/^A cost of/)).toBeNull()
    await type('Percent', '25')
    expect(screen.getByText(/column “EK” of your file/).textContent).toContain(
      'the place of those in “VK”',
    )
    await userEvent.click(screen.getByRole('checkbox', { name: /^The costs are seen/ }))
    await save()
    const priceRules = { tiers: [TIER], ending: 99, showsCost: true }
    await waitFor(() => expect(calls).toEqual([['retailer', { id: 1, priceRules }]]))
  })

  it('are said on its page, and are those of the file again when that is chosen', async () => {
    const { priceRules } = group
    const calls = open('/supplier/retailers/1', {
      'retailers.prices': () => ({ priceRules, columns: COLUMNS }),
    })
    expect(await screen.findByText('Made of costs. A cost of 10.00 becomes 13.99.')).toBeDefined()
    await press('Change the prices')
    await switchPrices()
    await save()
    await waitFor(() => expect(calls).toEqual([['retailer', { id: 1, priceRules: null }]]))
  })

  it.each<[Partial<PriceColumns>, RegExp]>([
    [{ cost: null }, /^Your file has no column with the cost/],
    [{ isPriceHidden: true }, /^The column “VK” is hidden/],
    [{ price: null }, /in a new last column “price”/],
  ])('are told where columns are missing or hidden: %j', async (changes, told) => {
    open('/supplier/retailers/1', {
      'retailers.prices': () => ({ priceRules: null, columns: { ...COLUMNS, ...changes } }),
    })
    await press('Change the prices')
    await switchPrices()
    expect(await screen.findByText(told)).toBeDefined()
  })

  it('are not saved while the server refuses them, which is said at the field', async () => {
    open('/supplier/retailers/1', {
      'retailers.savePrices': () => {
        throw new Refusal(400, 'There is no cost', { priceRules: 'There is no cost' })
      },
    })
    await press('Change the prices')
    await switchPrices()
    await save()
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText('There is no cost')).toBeDefined()
  })

  it('are those of its group, where they are changed for all members', async () => {
    const calls = open('/supplier/groups')
    await press('Edit Boutiques')
    await type('Percent', '30')
    expect(screen.getByText(/^A cost of 10\.00 becomes 14\.99\./)).toBeDefined()
    await save()
    const tiers = [{ ...TIER, percent: '30' }]
    await waitFor(() =>
      expect(calls).toMatchObject([['group', { id: 3, priceRules: { tiers, ending: 99 } }]]),
    )
  })
})
