import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { ReadRefusal } from '../../shared/address-protection'
import { DAY_MS } from '../../shared/durations'
import type { FeedAddress } from '../../shared/schemas/feed-address'
import type { CurrentUser } from '../../shared/schemas/user'
import { SHOPS, type Shop } from '../lib/shop-view'
import { Refusal, renderApp, supplierUser } from '../testing/render-app'
import { clickButton } from '../testing/secret-link-answers'
import { ago, answerShop, NEW_PATH, readAddress, waitingAddress } from '../testing/shop-answers'

const PASSWORD = 'a-password_that-was-made'
const URL = `https://stock.example${NEW_PATH}`
const guarded: FeedAddress = { ...waitingAddress, passwordEnd: 'made', networks: ['10.0.0.0/8'] }

const NO_NETWORK = '“10.0.0.0/33” is not a network.'

interface Opened {
  shop?: Shop
  user?: Partial<CurrentUser>
}

/** Opens the page over a server that protects the address as it is asked to. */
function open(addresses: FeedAddress[], { shop, user }: Opened = {}) {
  const asked: object[] = []
  const search = shop ? `?shop=${shop}` : ''
  const app = renderApp(
    `/retailer/shop${search}`,
    { ...supplierUser, role: 'RETAILER', ...user },
    {
      ...answerShop(addresses).answers,
      'feedAddresses.protect': (input: { password?: string; networks: string[] }) => {
        asked.push(input)
        if (input.networks.includes('10.0.0.0/33')) {
          throw new Refusal(400, NO_NETWORK, { networks: NO_NETWORK })
        }
        return { password: input.password === 'new' ? PASSWORD : null }
      },
    },
  )
  return { ...app, asked }
}

const protection = () => screen.findByRole('region', { name: 'Protection' })
const state = () => screen.findByRole('region', { name: 'Your shop' })
const dialog = () => screen.findByRole('dialog')
const choose = async (label: string, option: RegExp | string) => {
  await userEvent.click(await within(await dialog()).findByRole('combobox', { name: label }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const save = async () =>
  userEvent.click(within(await dialog()).getByRole('button', { name: 'Save' }))

describe('the protection of a feed address', () => {
  it('says what can be added, and then what is set', async () => {
    open([waitingAddress])
    expect((await protection()).textContent).toContain('Whoever knows the address can read it.')
  })

  it('says what is set', async () => {
    open([guarded])
    const values = within(await protection()).getAllByRole('definition')
    expect(values.map(({ textContent }) => textContent)).toEqual([
      'Asked for; ends in …made',
      '10.0.0.0/8',
      'Never',
    ])
  })

  it('makes a password, shows it once with where it is typed, and puts it into the guide', async () => {
    const { asked } = open([], { shop: 'script' })
    await clickButton('Create address')
    await clickButton('Add protection')
    await choose('Password', 'Make one')
    await save()
    const shown = await dialog()
    await within(shown).findByText(PASSWORD)
    expect(asked).toEqual([{ id: 1, password: 'new', networks: [] }])
    expect(within(shown).getByText(`curl -u feed:${PASSWORD} "${URL}"`)).toBeDefined()
    await userEvent.click(within(shown).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText(PASSWORD)).toBeNull()
  })

  it('takes networks, one a line, and an end', async () => {
    const { asked } = open([waitingAddress])
    await clickButton('Add protection')
    await userEvent.type(
      await within(await dialog()).findByLabelText(/^Networks/),
      '10.0.0.0/8\n2001:db8::/32',
    )
    await choose('Expires', 'In 90 days')
    await save()
    await waitFor(() => expect(asked).toHaveLength(1))
    const [{ validUntil, ...input }] = asked as [{ validUntil: string }]
    expect(input).toEqual({ id: 1, networks: ['10.0.0.0/8', '2001:db8::/32'] })
    expect(Math.round((Date.parse(validUntil) - Date.now()) / DAY_MS)).toBe(90)
  })

  it('says at the field of the networks what is wrong with one', async () => {
    open([waitingAddress])
    await clickButton('Add protection')
    await userEvent.type(await within(await dialog()).findByLabelText(/^Networks/), '10.0.0.0/33')
    await save()
    expect(await within(await dialog()).findByText(NO_NETWORK)).toBeDefined()
  })

  it('is only shown to those who may not change it', async () => {
    open([guarded], { user: { member: { id: 7, role: 'BUYER' } } })
    expect(within(await protection()).queryByRole('button')).toBeNull()
  })

  it('offers to extend an address that has expired', async () => {
    const { asked } = open([{ ...readAddress, validUntil: ago(5) }])
    await within(await state()).findByText('The address has expired')
    expect((await screen.findByRole('list', { name: 'Feed addresses' })).textContent).toContain(
      'Expired',
    )
    await clickButton('Extend')
    await within(await dialog()).findByRole('combobox', { name: 'Expires' })
    await save()
    await waitFor(() => expect(asked).toHaveLength(1))
  })
})

describe('a shop that was refused', () => {
  it.each<[ReadRefusal, string]>([
    ['password-wrong', 'Wrong password'],
    ['password-missing', 'No password'],
    ['network', 'not among the networks'],
    ['expired', 'has expired'],
  ])('is told with when, why, by which program and from where: %s', async (reason, text) => {
    const lastRefusal = { at: ago(3), reason, client: 'ShopSync/9.1', from: '203.0.113.5' }
    open([{ ...readAddress, lastUsedAt: ago(9), lastRefusal }])
    const panel = await state()
    await within(panel).findByText(/^Your shop was refused (at|on) /)
    expect(panel.textContent).toContain(text)
    const values = within(panel).getAllByRole('definition')
    expect(values.map(({ textContent }) => textContent)).toEqual([
      '3 minutes ago',
      'ShopSync/9.1',
      '203.0.113.5',
      '9 minutes ago',
    ])
  })

  it('is not told once it has read', async () => {
    const lastRefusal = {
      at: ago(30),
      reason: 'password-missing',
      client: null,
      from: null,
    } as const
    open([{ ...readAddress, lastRefusal }])
    expect(await within(await state()).findByText(/^Your shop has read 1,204 rows/)).toBeDefined()
  })
})

describe('the guide of an address with a password', () => {
  it.each(SHOPS)('says how it is given: %s', async (shop) => {
    open([guarded], { shop })
    const guide = await screen.findByRole('region', { name: 'Where to paste it' })
    await within(guide).findAllByRole('listitem')
    expect(guide.textContent).toMatch(/feed:••••|user name feed|Bearer ••••|sends no password/)
    expect(guide.textContent).not.toContain('no user name')
    expect(within(guide).queryByRole('button', { name: /^Copy/ })).toBeNull()
  })
})
