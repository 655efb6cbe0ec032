import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Card, DirectoryCard, DirectoryPage } from '../../shared/schemas/directory'
import type { CurrentUser } from '../../shared/schemas/user'
import { renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const retailerUser = { ...supplierUser, role: 'RETAILER' as const }
const token = (name: string) => name.padEnd(43, 'x')
const card = (name: string, changes: Partial<DirectoryCard> = {}): DirectoryCard => ({
  card: token(name),
  name,
  description: 'Shoes',
  categories: ['Boots'],
  logo: null,
  freshness: { days: 90, freshDays: 88, goodShare: 99 },
  state: 'none',
  askAgainAt: null,
  ...changes,
})
const page = (...cards: DirectoryCard[]) => ({
  cards,
  matchCount: cards.length,
  page: 1,
  pageCount: 1,
  openCount: cards.filter(({ state }) => state === 'pending').length,
  hiddenRequests: [] as DirectoryPage['hiddenRequests'],
})
const own = { ...sampleRetailer, storeName: 'Corner Shop', storeUrl: null, relations: [] }
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

function open(cards: DirectoryCard[], answers: Answers = {}, user: CurrentUser = retailerUser) {
  const calls: unknown[] = []
  const told = (name: string) => (input: unknown) => {
    calls.push([name, input])
    return { message: 'Done' }
  }
  renderApp('/retailer/directory', user, {
    'retailers.own': () => own,
    'directory.page': () => page(...cards),
    'people.list': () => [],
    'directory.request': told('request'),
    'directory.withdraw': told('withdraw'),
    ...answers,
  })
  return calls
}

describe('the directory', () => {
  it('tells of each supplier what it has published, and what it is to the retailer', async () => {
    open([
      card('Alpha'),
      card('Beta', { state: 'pending' }),
      card('Gamma', { state: 'declined', askAgainAt: '2026-12-26T10:00:00.000Z' }),
      card('Delta', { state: 'supplier' }),
    ])
    expect(await screen.findByText('4 suppliers, 1 open request')).toBeDefined()
    expect(
      screen.getAllByText('Data read on 88 of the last 90 days, 99 % of all syncs good'),
    ).toHaveLength(4)
    for (const text of ['Request pending', 'Not accepted', 'Your supplier']) {
      expect(screen.getByText(text)).toBeDefined()
    }
    expect(screen.getAllByRole('button', { name: /^Request access to/ })).toHaveLength(1)
  })

  it('sends a request, and withdraws one', async () => {
    const calls = open([card('Alpha'), card('Beta', { state: 'pending' })])
    await press('Request access to Alpha')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Hello')
    await press('Send request')
    const asked = { card: token('Alpha'), storeName: 'Corner Shop', storeUrl: '', message: 'Hello' }
    await waitFor(() => expect(calls).toEqual([['request', asked]]))
    await press('Withdraw the request to Beta')
    await waitFor(() => expect(calls[1]).toEqual(['withdraw', { card: token('Beta') }]))
  })

  it('withdraws a request to a supplier who is not listed any more', async () => {
    const hidden = [{ card: token('Gone'), askedAt: '2026-11-12T10:00:00.000Z' }]
    const calls = open([], { 'directory.page': () => ({ ...page(), hiddenRequests: hidden }) })
    await press('Withdraw the request of Nov 12, 2026')
    await waitFor(() => expect(calls).toEqual([['withdraw', { card: token('Gone') }]]))
  })

  it('tells who of the company sees a request, before it is sent', async () => {
    const person = { isActive: true, isSelf: false, displayName: null }
    open([card('Alpha')], {
      'people.list': () => [
        { ...person, id: 1, username: 'ada', isSelf: true },
        { ...person, id: 2, username: 'ben', displayName: 'Ben Buyer' },
        { ...person, id: 3, username: 'cleo' },
        { ...person, id: 4, username: 'gone', isActive: false },
      ],
    })
    await press('Request access to Alpha')
    expect((await screen.findByText(/Your colleagues/)).textContent).toContain(
      'Your colleagues Ben Buyer and cleo see the request',
    )
  })

  it('is only looked at by those who are no owners', async () => {
    open([card('Alpha')], {}, { ...retailerUser, member: { id: 9, role: 'BUYER' } })
    expect(await screen.findByText('Owners of your company ask for its files.')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Request access/ })).toBeNull()
  })

  it('says that it is empty', async () => {
    open([])
    expect(await screen.findByText('No suppliers yet')).toBeDefined()
  })
})

describe('a request, for the supplier', () => {
  it('is accepted into the group of newcomers with one click, or declined', async () => {
    const calls: unknown[] = []
    const request = { storeUrl: null, message: 'Hello', createdAt: '2026-01-01T00:00:00.000Z' }
    renderApp('/supplier/retailers', supplierUser, {
      'retailers.page': () => ({ rows: [], matchCount: 0, totalCount: 0, page: 1, pageCount: 1 }),
      'connections.list': () => [],
      'groups.list': () => [
        { id: 7, name: 'New', isForNewcomers: true },
        { id: 8, name: 'Old', isForNewcomers: false },
      ],
      'requests.list': () => ({
        requests: [
          { id: 1, storeName: 'One', ...request },
          { id: 2, storeName: 'Two', ...request },
        ],
        openCount: 2,
      }),
      'requests.approve': (input: unknown) => {
        calls.push(input)
        return { retailerId: 5 }
      },
      'requests.decline': (input: unknown) => {
        calls.push(input)
        return { message: 'Request declined' }
      },
    })
    expect(await screen.findByText('2 retailers ask for your files')).toBeDefined()
    await press('Accept One')
    await waitFor(() => expect(calls).toEqual([{ id: 1, groupId: 7 }]))
    await press('Decline Two')
    await waitFor(() => expect(calls[1]).toEqual({ id: 2 }))
  })
})

describe('the card of a supplier', () => {
  it('is shown as it will be before it is published, and keeps its logo', async () => {
    const saved: unknown[] = []
    const stored: Card = { ...card('Northbeck'), isPublished: false, updatedAt: null }
    renderApp('/supplier/card', supplierUser, {
      'cards.get': () => stored,
      'connections.list': () => [],
      'cards.save': (input: Partial<Card>) => {
        saved.push(input)
        return { ...stored, ...input }
      },
    })
    expect(await screen.findByRole('article', { name: 'Northbeck' })).toBeDefined()
    expect(screen.getByText(/^Nobody else sees this/)).toBeDefined()
    await userEvent.click(screen.getByRole('switch', { name: /^Published in the directory/ }))
    await press('Save')
    await waitFor(() =>
      expect(saved).toEqual([
        { isPublished: true, name: 'Northbeck', description: 'Shoes', categories: ['Boots'] },
      ]),
    )
  })
})
