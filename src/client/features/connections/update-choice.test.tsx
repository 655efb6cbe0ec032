import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import { renderConnectionForm } from '../../testing/connection-form'
import { fillIn } from '../../testing/fill-in'
import { sampleConnection } from '../../testing/sample-records'

const UPDATES = { removal: null, fullName: 'full-*', nextIsFull: false, gap: null }

function renderForm(connection: Partial<Connection> | null) {
  const form = renderConnectionForm(connection && { ...sampleConnection, ...connection })
  return { save: async () => (await form.save())?.updates }
}

const toggle = () => screen.getByRole('switch', { name: /Each file has only what has changed/ })
const field = (name: RegExp) => screen.getByRole('textbox', { name })
const nextIsFull = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /The next file/ })

describe('whether files have only what has changed', () => {
  it('is off, and asks nothing then', async () => {
    const { save } = renderForm({})
    expect(screen.queryByRole('textbox', { name: /Name of full files/ })).toBeNull()
    expect(await save()).toBeNull()
  })

  it('is chosen with the full file that comes first', async () => {
    const { save } = renderForm({ lastSync: null })
    await userEvent.click(toggle())
    expect(nextIsFull().checked).toBe(true)
    await fillIn(field(/Column that removes items/), 'action')
    await fillIn(field(/Its value for those items/), ' delete ')
    await fillIn(field(/Name of full files/), 'full-*.csv')
    expect(await save()).toEqual({
      removal: { column: 'action', value: 'delete' },
      fullName: 'full-*.csv',
      nextIsFull: true,
    })
  })

  it('needs both the column and the value by which items are removed', async () => {
    const { save } = renderForm({ lastSync: '2026-01-01T00:00:00.000Z' })
    await userEvent.click(toggle())
    expect(nextIsFull().checked).toBe(false)
    await fillIn(field(/Column that removes items/), 'action')
    expect(await save()).toBeUndefined()
    expect(screen.getByText('Enter the value that removes an item')).toBeDefined()
    await userEvent.clear(field(/Column that removes items/))
    expect(await save()).toMatchObject({ removal: null })
  })

  it('says nothing of the next file that was not changed: it may have come meanwhile', async () => {
    const { save } = renderForm({ updates: { ...UPDATES, nextIsFull: true } })
    await userEvent.type(field(/Name of full files/), '2')
    expect(await save()).toEqual({ removal: null, fullName: 'full-*2' })
    await userEvent.click(nextIsFull())
    expect(await save()).toMatchObject({ nextIsFull: false })
  })
})
