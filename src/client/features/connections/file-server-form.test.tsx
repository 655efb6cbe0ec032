import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import { DEFAULT_TRANSFER } from '../../../shared/schemas/transfer'
import { renderConnectionForm } from '../../testing/connection-form'
import { fillIn } from '../../testing/fill-in'
import { sampleConnection } from '../../testing/sample-records'

const KEY = 'ssh-ed25519 SHA256:rr7HuT6xXHC9o5RQOQezH2FzoodRwfSOF4ox/+uMXDM'
const SAVED = {
  ...sampleConnection,
  config: {
    url: 'sftp://files.example/stock.csv',
    auth: { type: 'basic', username: 'acme', password: '••••••' },
    transfer: { ...DEFAULT_TRANSFER, hostKeys: [KEY] },
  },
} satisfies Connection

function renderForm(connection: Connection | null = null) {
  const form = renderConnectionForm(connection)
  const url = screen.getByLabelText<HTMLInputElement>('URL')
  return {
    url,
    async change(address: string) {
      await fillIn(url, address)
      await userEvent.tab()
    },
    save: async () => (await form.save())?.config,
  }
}

const keys = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Server Keys' })

describe('the form of a connection to a server of files', () => {
  it('takes the user name and password out of a typed address', async () => {
    const { url, change, save } = renderForm()
    await fillIn(screen.getByLabelText('Connection Name'), 'Stock')
    await change('sftp://acme:pa%20ss@files.example/stock.csv')
    expect(url.value).toBe('sftp://files.example/stock.csv')
    expect(await save()).toMatchObject({
      url: 'sftp://files.example/stock.csv',
      auth: { type: 'basic', username: 'acme', password: 'pa ss' },
    })
  })

  it('asks for what its address needs: a login, keys, TLS', async () => {
    const { change } = renderForm()
    const access = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Access' }).value
    await change('sftp://files.example/stock.csv')
    expect(access()).toBe('User name and password')
    expect(keys().value).toBe('')
    expect(screen.queryByLabelText('Use TLS')).toBeNull()
    await change('ftp://files.example/stock.csv')
    await userEvent.click(screen.getByLabelText('Use TLS'))
    expect(screen.getByText(/Without TLS/)).toBeDefined()
    await change('https://files.example/stock.csv')
    expect(screen.queryByLabelText('Use TLS')).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'After Publishing' })).toBeNull()
  })

  it('forgets the keys of a server when the address is of another one, and finds them again', async () => {
    const { change, save } = renderForm(SAVED)
    expect(keys().value).toBe(KEY)
    await change('sftp://other.example/stock.csv')
    expect(keys().value).toBe('')
    await change('sftp://files.example/new.csv')
    expect(keys().value).toBe(KEY)
    expect(await save()).toMatchObject({ transfer: { hostKeys: [KEY] } })
  })

  it('says that a key of the server is none', async () => {
    const { save } = renderForm(SAVED)
    await userEvent.type(keys(), '{Enter}aa:bb:cc')
    expect(await save()).toBeUndefined()
    expect(screen.getByText(/Enter the fingerprint of the server/)).toBeDefined()
  })

  it('chooses what becomes of a file that was read', async () => {
    const { save } = renderForm(SAVED)
    await userEvent.click(screen.getByRole('combobox', { name: 'After Publishing' }))
    await userEvent.click(screen.getByRole('option', { name: 'Move it into a folder' }))
    const folder = screen.getByRole('textbox', { name: 'Folder' })
    await userEvent.clear(folder)
    expect(await save()).toBeUndefined()
    expect(screen.getByText('Enter the folder that files are moved into')).toBeDefined()
    await fillIn(folder, 'read')
    expect(await save()).toMatchObject({
      transfer: { afterReading: { action: 'move', folder: 'read' } },
    })
  })

  it('takes a private key, and sends no passphrase for one that is saved', async () => {
    const auth = { type: 'ssh-key', username: 'acme', privateKey: '••••••' } as const
    const { save } = renderForm({ ...SAVED, config: { ...SAVED.config, auth } })
    expect(screen.queryByLabelText('Passphrase (optional)')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Replace the private key' }))
    await fillIn(screen.getByRole('textbox', { name: 'Private Key' }), 'ssh-ed25519 AAAA')
    expect(await save()).toBeUndefined()
    expect(screen.getByText(/This is the public key/)).toBeDefined()
  })
})
