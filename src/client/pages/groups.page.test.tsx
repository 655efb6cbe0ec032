import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { ListedGroup, Membership, RetailerGroup } from '../../shared/schemas/group'
import type { PriceColumns } from '../../shared/schemas/price-rules'
import { shopFormatSchema } from '../../shared/schemas/shop-format'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const group: ListedGroup = {
  id: 3,
  supplierId: 2,
  name: 'Boutiques',
  isForNewcomers: true,
  allProducts: true,
  syncFrequency: 60,
  formatKind: 'asIs',
  memberCount: 2,
  deviatingCount: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
}
const { allProducts: _all, formatKind: _kind, deviatingCount: _count, ...shared } = group
const whole: RetailerGroup = {
  ...shared,
  visibilitySettings: { allProducts: true, categories: [] },
  profile: shopFormatSchema.parse({ kind: 'stock', buffer: 2 }),
  priceRules: null,
}

const columns: PriceColumns = { isKnown: true, cost: 'EK', price: 'VK', isPriceHidden: false }

function open(path: string, answers: Answers = {}) {
  const calls: unknown[] = []
  const told = (name: string, answer: unknown) => (input: unknown) => {
    calls.push([name, input])
    return answer
  }
  renderApp(path, supplierUser, {
    'groups.list': () => [group],
    'groups.get': () => whole,
    'groups.create': told('create', whole),
    'groups.update': told('update', whole),
    'groups.priceColumns': () => columns,
    'groups.delete': told('delete', { message: 'Group deleted' }),
    'groups.assign': told('assign', { message: 'Retailers assigned' }),
    'connections.list': () => [],
    'retailers.prices': () => ({ priceRules: null, columns }),
    ...answers,
  })
  return calls
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the groups of a supplier', () => {
  it('are explained while there are none, and added', async () => {
    const calls = open('/supplier/groups', { 'groups.list': () => [] })
    expect(await screen.findByText('No groups yet')).toBeDefined()
    await press('Add group')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Outlets')
    await userEvent.click(screen.getByLabelText('Newcomers wait in this group'))
    await userEvent.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Add group' }),
    )
    await waitFor(() =>
      expect(calls).toEqual([
        [
          'create',
          {
            name: 'Outlets',
            isForNewcomers: true,
            visibilitySettings: { allProducts: true, categories: [] },
            syncFrequency: 1440,
            profile: { kind: 'asIs', location: '' },
            priceRules: null,
          },
        ],
      ]),
    )
  })

  it('are changed without losing options of the shop format that are not shown', async () => {
    const calls = open('/supplier/groups')
    await press('Edit Boutiques')
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await userEvent.clear(name)
    await userEvent.type(name, 'Shops')
    await press('Save')
    await waitFor(() =>
      expect(calls).toMatchObject([['update', { id: 3, name: 'Shops', profile: { buffer: 2 } }]]),
    )
  })

  it('are not deleted with members', async () => {
    const calls = open('/supplier/groups')
    await press('Delete Boutiques')
    expect(await screen.findByText('2 retailers of the group have to be moved first')).toBeDefined()
    expect(calls).toEqual([])
  })
})

describe('a retailer in a group', () => {
  it('shows which settings are its own, and gives them back', async () => {
    let membership: Membership = {
      retailerId: 1,
      groupId: 3,
      groupName: 'Boutiques',
      own: ['syncFrequency'],
    }
    const followed: unknown[] = []
    open('/supplier/retailers/1', {
      'retailers.get': () => ({ ...sampleRetailer, id: 1 }),
      'retailers.usage': () => [],
      'groups.ofRetailer': () => membership,
      'groups.follow': (input: unknown) => {
        followed.push(input)
        membership = { ...membership, own: [] }
        return membership
      },
    })
    expect(await screen.findByText('Its own')).toBeDefined()
    await press('Sync Frequency: as in the group')
    await waitFor(() => expect(screen.queryByText('Its own')).toBeNull())
    expect(followed).toEqual([{ id: 1, settings: ['syncFrequency'] }])
  })

  it('comes there by the dialog of several, whose other choices are then their own', async () => {
    const updates: unknown[] = []
    const calls = open('/supplier/retailers', {
      'retailers.page': () => ({
        rows: [{ ...sampleRetailer, id: 1, storeName: 'Store 1' }],
        matchCount: 1,
        totalCount: 1,
        page: 1,
        pageCount: 1,
      }),
      'retailers.usage': () => [],
      'groups.memberships': () => [
        { retailerId: 1, groupId: 3, groupName: 'Boutiques', own: ['profile'] },
      ],
      'retailers.updateSeveral': (input: unknown) => {
        updates.push(input)
        return { message: 'Retailers updated' }
      },
    })
    expect(await screen.findByText('Boutiques, 1 of its own')).toBeDefined()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Store 1' }))
    await press('Change settings')
    await userEvent.click(await screen.findByLabelText('Assign to a group'))
    await userEvent.click(await screen.findByLabelText('Change how often their files are updated'))
    await press('Save for 1 retailer')
    await waitFor(() => expect(updates).toEqual([{ ids: [1], syncFrequency: 1440 }]))
    expect(calls).toEqual([['assign', { ids: [1], groupId: 3 }]])
  })
})
