import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { Connection } from '../../../shared/schemas/connection'
import { renderConnectionForm } from '../../testing/connection-form'
import { fillIn } from '../../testing/fill-in'
import { sampleConnection } from '../../testing/sample-records'

const OVERLAY = {
  url: 'https://stock.example/a.csv',
  auth: { type: 'basic', username: 'acme', password: '••••••' },
  reading: { ...AUTOMATIC_READING, sheets: ['Stock'] },
  onlyInFile: 'leave-out',
  onlyInOverlay: 'keep',
} as const satisfies Connection['overlay']

const renderForm = (connection: Partial<Connection>) =>
  renderConnectionForm({ ...sampleConnection, ...connection })

const section = () =>
  screen.getByRole('button', { name: /^Stock and prices from a second address/ })
const address = () => screen.getByRole('textbox', { name: 'Second address' })
async function choose(label: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: label }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}

describe('a second address', () => {
  it('is folded while there is none, and not sent', async () => {
    const { save } = renderForm({})
    expect(section().textContent).toContain('None')
    expect(section().getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByRole('textbox', { name: 'Second address' })).toBeNull()
    expect((await save())?.overlay).toBeUndefined()
  })

  it('is entered with its access, and with what becomes of rows that only one file has', async () => {
    const { save } = renderForm({})
    await userEvent.click(section())
    await fillIn(address(), 'stock.example/a.csv')
    await choose('Access to the second address', 'Bearer token')
    await fillIn(screen.getByLabelText('Token'), 'sesame')
    await choose('Items only in the file', 'Leave them out')
    const saved = await save()
    expect(saved?.overlay).toEqual({
      url: 'https://stock.example/a.csv',
      auth: { type: 'bearer', token: 'sesame' },
      onlyInFile: 'leave-out',
      onlyInOverlay: 'leave-out',
    })
    expect(saved?.config).toEqual(sampleConnection.config)
  })

  it('is open when it is saved, and sent back with its masked secret and its reading', async () => {
    const { save } = renderForm({ overlay: OVERLAY })
    expect(section().textContent).toContain('https://stock.example')
    expect((await save())?.overlay).toEqual(OVERLAY)
  })

  it('needs its secret again at another origin', async () => {
    const { save } = renderForm({ overlay: OVERLAY })
    await fillIn(address(), 'https://other.example/a.csv')
    expect(await save()).toBeUndefined()
    expect(screen.getByText('Password is required')).toBeDefined()
  })

  it('is taken away by emptying its field', async () => {
    const { save } = renderForm({ overlay: OVERLAY })
    await userEvent.clear(address())
    expect((await save())?.overlay).toBeNull()
  })

  it('has its errors under its fields, also when it was folded', async () => {
    const { save } = renderForm({ overlay: OVERLAY })
    await fillIn(address(), 'gopher://a.example')
    await userEvent.click(section())
    expect(await save()).toBeUndefined()
    expect(
      screen.getByText('Only http, https, s3, sftp, ftp and ftps addresses can be used'),
    ).toBeDefined()
  })

  it('is refused together with files that have only what has changed', async () => {
    const { save } = renderForm({ overlay: OVERLAY })
    await userEvent.click(
      screen.getByRole('switch', { name: /Each file has only what has changed/ }),
    )
    expect(await save()).toBeUndefined()
    expect(screen.getByText(/cannot be used together with files/)).toBeDefined()
  })
})
