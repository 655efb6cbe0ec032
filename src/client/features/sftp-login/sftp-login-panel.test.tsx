import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { SftpAccess, SftpLogin } from '../../../shared/schemas/sftp-login'
import { Toaster } from '../../components/feedback/toaster'
import { SignedInUserContext } from '../../session/current-user'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { clickButton, confirm } from '../../testing/secret-link-answers'
import { sampleLogin as login, sampleServer } from '../../testing/sftp-answers'
import { FetchBySftp, SendBySftp } from './sftp-login-panel'

const key = { type: 'ssh-ed25519', fingerprint: 'SHA256:robot', comment: 'robot@warehouse' }
const supplier = {
  id: 1,
  username: 'acme',
  role: 'SUPPLIER',
  companyName: 'Acme',
  maxRetailers: 5,
} as never

type Input = { password?: string; addKeys?: string; removeKeys?: string[] }

/** A panel over a server that has this login, and the changes that it is asked for. */
function renderPanel(
  first: SftpLogin | null,
  {
    user = supplier,
    at = sampleServer as SftpAccess['server'],
    isOfRetailer = false,
    refusal = '',
  } = {},
) {
  let stored = first
  const calls: [string, unknown][] = []
  const of = isOfRetailer ? 'Retailer' : 'Connection'
  const change =
    (
      what: string,
      toLogin: (input: Input) => SftpLogin | null,
      isPasswordMade: (input: Input) => boolean,
    ) =>
    (input: unknown) => {
      if (refusal !== '') return Promise.reject(new Refusal(400, refusal))
      calls.push([what, input])
      stored = toLogin(input as Input)
      const password = isPasswordMade(input as Input) ? 'secret-password' : null
      return { username: login.username, password }
    }
  renderWithAnswers(
    <SignedInUserContext value={user}>
      {isOfRetailer ? <FetchBySftp retailerId={3} /> : <SendBySftp connectionId={3} />}
      <Toaster />
    </SignedInUserContext>,
    {
      [`sftpLogins.of${of}`]: () => ({ server: at, login: stored }),
      [`sftpLogins.createOf${of}`]: change(
        'create',
        ({ addKeys }) =>
          addKeys === undefined ? login : { ...login, passwordEnd: null, publicKeys: [key] },
        ({ addKeys }) => addKeys === undefined,
      ),
      [`sftpLogins.changeOf${of}`]: change(
        'change',
        ({ password, addKeys, removeKeys }) => ({
          ...stored!,
          passwordEnd: password === 'none' ? null : 'x7Qa',
          publicKeys: removeKeys ? [] : addKeys === undefined ? stored!.publicKeys : [key],
        }),
        ({ password }) => password === 'new',
      ),
      [`sftpLogins.revokeOf${of}`]: change(
        'revoke',
        () => null,
        () => false,
      ),
    },
  )
  return calls
}

describe('the SFTP login of a connection', () => {
  it('is made with a password, which is announced and shown once', async () => {
    const calls = renderPanel(null)
    await clickButton('Create login')
    const shown = await screen.findByRole('status')
    expect(shown.textContent).toContain('Copy the password now: it is shown only once')
    expect(within(shown).getByText('secret-password')).toBeDefined()
    for (const text of ['sftp.stock.example', '2222', 'acme-4f7k2m', 'SHA256:server']) {
      expect(screen.getByText(text)).toBeDefined()
    }
    expect(calls).toEqual([['create', { id: 3 }]])
  })

  it('is made with a public key alone, where no password is shown', async () => {
    const calls = renderPanel(null)
    await clickButton('With a public key')
    await userEvent.type(await screen.findByLabelText('Public key'), 'ssh-ed25519 AAAA')
    await confirm('Create login')
    expect(await screen.findByText('robot@warehouse')).toBeDefined()
    expect(screen.queryByRole('status')).toBeNull()
    expect(calls).toEqual([['create', { id: 3, addKeys: 'ssh-ed25519 AAAA' }]])
    expect(screen.getByText(/-i ~\/.ssh\/id_ed25519/)).toBeDefined()
  })

  it('gets a new password, and is revoked, only after a question', async () => {
    const calls = renderPanel(login)
    await clickButton('New password')
    expect(calls).toEqual([])
    await confirm('Make password')
    expect(await screen.findByText('secret-password')).toBeDefined()
    await clickButton('Revoke')
    await confirm('Revoke')
    expect(await screen.findByText('No SFTP login yet')).toBeDefined()
    expect(screen.queryByText('secret-password')).toBeNull()
    expect(calls.map(([what]) => what)).toEqual(['change', 'revoke'])
  })

  it('may lose its password only while it has a key, and its last key only while it has a password', async () => {
    const calls = renderPanel({ ...login, publicKeys: [key] })
    await clickButton('Remove password')
    await confirm('Remove')
    expect(await screen.findByText('None: only the keys below open it.')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
    await clickButton('Add a password')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Remove the key robot@warehouse' }),
    )
    await confirm('Remove')
    expect(await screen.findByText(/^None. With one, a program/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Remove password' })).toBeNull()
    expect(calls.map(([, input]) => input)).toEqual([
      { id: 3, password: 'none' },
      { id: 3, password: 'new' },
      { id: 3, removeKeys: ['SHA256:robot'] },
    ])
  })

  it('tells at its field why a key was not taken', async () => {
    renderPanel(login, { refusal: 'This is a private key' })
    await clickButton('Add key')
    await userEvent.type(await screen.findByLabelText('Public key'), 'a private one')
    await confirm('Add key')
    expect(await screen.findByText('This is a private key')).toBeDefined()
    expect(screen.getByRole('dialog')).toBeDefined()
  })

  it('has the fields of programs with windows, and says when a file counts', async () => {
    renderPanel(login)
    await userEvent.selectOptions(
      await screen.findByLabelText('With'),
      'WinSCP, FileZilla and others',
    )
    expect(screen.getByText(/In FileZilla the logon type is Normal/)).toBeDefined()
    expect(screen.getByText(/it waits until it is renamed/)).toBeDefined()
  })

  it('is only looked at by those whose role does not include it', async () => {
    const viewer = { ...(supplier as object), member: { id: 2, role: 'VIEWER' } } as never
    renderPanel(login, { user: viewer })
    expect(await screen.findByText('acme-4f7k2m')).toBeDefined()
    expect(screen.queryByRole('button', { name: /Revoke|New|Add|Remove/ })).toBeNull()
  })
})

describe('without an SFTP server', () => {
  it('a supplier is told whom to ask', async () => {
    renderPanel(null, { at: null })
    expect(await screen.findByText(/ask its administrator for an SFTP server/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Create login' })).toBeNull()
  })

  it('an administrator who looks is told the setting', async () => {
    const viewed = { ...(supplier as object), viewedUntil: '2026-01-01T00:00:00.000Z' } as never
    renderPanel(null, { at: null, user: viewed })
    expect(await screen.findByText('SFTP_PORT')).toBeDefined()
  })

  it('a login that was made before can still be revoked', async () => {
    const calls = renderPanel(login, { at: null })
    expect(await screen.findByText('The SFTP server is switched off')).toBeDefined()
    await clickButton('Revoke')
    await confirm('Revoke')
    expect(await screen.findByText('SFTP is not available here')).toBeDefined()
    expect(calls).toHaveLength(1)
  })
})

it('a retailer sees where its file is', async () => {
  renderPanel(login, { isOfRetailer: true })
  expect(await screen.findByText('/inventory/inventory.csv')).toBeDefined()
  expect(screen.getByText(/acme-4f7k2m@sftp.stock.example:\/inventory/)).toBeDefined()
})
