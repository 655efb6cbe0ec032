import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { AddRetailersInput } from '../../../shared/schemas/retailer-list'
import { SignedInUserContext } from '../../session/current-user'
import { renderWithAnswers, supplierUser, type Answers } from '../../testing/render-app'
import { AddRetailersDialog } from './add-retailers-dialog'

const TWO = 'Store Name,Email,Username\nCorner,a@shop.example,corner\nSummit,s@shop.example,summit'
const BROKEN = `${TWO}\nKiosk,nobody,kiosk`

function open(answers: Answers) {
  renderWithAnswers(
    <SignedInUserContext value={supplierUser}>
      <AddRetailersDialog isOpen onClose={() => {}} />
    </SignedInUserContext>,
    {
      'app.info': () => ({ publicUrl: 'https://stock.example' }),
      'groups.list': () => [],
      'suppliers.checkRetailers': () => [],
      ...answers,
    },
  )
}

async function check(list: string) {
  const field = await screen.findByLabelText('List of retailers')
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(list)
  await userEvent.click(screen.getByRole('button', { name: 'Check the list' }))
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('adding several retailers', () => {
  it('shows a list’s problems, its own and the server’s, and adds nothing', async () => {
    open({
      'suppliers.checkRetailers': () => [{ place: 1, message: 'This username is already taken' }],
    })
    await check(BROKEN)
    const table = await screen.findByRole('table', { name: 'Retailers in the list' })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual([
      'This username is already taken',
      'Invalid email address',
      'Ready',
    ])
    expect(screen.getByText(/^2 lines of 3 have problems\./)).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull()
    await press('Back to the list')
    expect(await screen.findByLabelText('List of retailers')).toHaveProperty('value', BROKEN)
  })

  it('says at the field why a list cannot be read', async () => {
    open({})
    await check('nothing')
    expect(await screen.findByText(/^The first line must name the columns/)).toBeDefined()
  })

  it('adds all with generated passwords, and shows those once', async () => {
    const added: AddRetailersInput[] = []
    open({
      'suppliers.addRetailers': (input: AddRetailersInput) => {
        added.push(input)
        return { message: 'Retailers added' }
      },
    })
    await check(TWO)
    await press('Add 2 retailers')
    const table = await screen.findByRole('table', { name: 'New logins' })
    const [{ retailers } = { retailers: [] }] = added
    const passwords = retailers.map(({ password }) => password)
    expect(new Set(passwords).size).toBe(2)
    for (const password of passwords) {
      expect(password).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/)
      expect(within(table).getByText(password)).toBeDefined()
    }
    const file = screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href') ?? ''
    const text = decodeURIComponent(file)
    expect(text).toContain(`"Corner","corner","${passwords[0]}"`)
    expect(text).toContain('Address: https://stock.example')
  })

  it('puts all into a group, of which they have what the list does not say', async () => {
    const added: AddRetailersInput[] = []
    open({
      'groups.list': () => [{ id: 7, name: 'Boutiques' }],
      'suppliers.addRetailers': (input: AddRetailersInput) => {
        added.push(input)
        return { message: 'Retailers added' }
      },
    })
    await userEvent.selectOptions(await screen.findByLabelText('Group'), 'Boutiques')
    await check(`Store Name,Email,Categories\nCorner,a@shop.example,\nSummit,s@shop.example,Hats`)
    const table = await screen.findByRole('table', { name: 'Retailers in the list' })
    expect(within(table).getAllByText('As in the group')).toHaveLength(2)
    expect(within(table).getByText('Hats')).toBeDefined()
    await press('Add 2 retailers')
    await waitFor(() => expect(added).toMatchObject([{ groupId: 7 }]))
  })

  it('keeps the list and its passwords when the server refuses it', async () => {
    const seen: string[] = []
    open({
      'suppliers.addRetailers': ({ retailers }: AddRetailersInput) => {
        seen.push(retailers.map(({ password }) => password).join(' '))
        throw new Error('Nothing has been added.')
      },
    })
    await check(TWO)
    await press('Add 2 retailers')
    await waitFor(() => expect(seen).toHaveLength(1))
    await press('Add 2 retailers')
    await waitFor(() => expect(seen).toHaveLength(2))
    expect(seen[1]).toBe(seen[0])
  })
})
