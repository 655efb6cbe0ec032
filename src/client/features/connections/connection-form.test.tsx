import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { Connection } from '../../../shared/schemas/connection'
import { renderConnectionForm } from '../../testing/connection-form'
import { fillIn } from '../../testing/fill-in'
import { sampleConnection } from '../../testing/sample-records'

describe('ConnectionForm', () => {
  it('shows errors under its fields and focuses the first invalid one', async () => {
    const { sent } = renderConnectionForm()
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(screen.getByText('Connection name is required')).toBeDefined()
    expect(screen.getByText('URL is required')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Connection Name'))
    expect(sent).toEqual([])
  })

  it('submits trimmed values without a category column', async () => {
    const { sent } = renderConnectionForm()
    await fillIn(screen.getByLabelText('Connection Name'), '  Spring ')
    await fillIn(screen.getByLabelText('URL'), 'https://example.com/a.csv ')
    await userEvent.click(screen.getByRole('button', { name: 'Create Connection' }))
    expect(sent).toMatchObject([
      {
        name: 'Spring',
        type: 'URL',
        config: { url: 'https://example.com/a.csv', auth: { type: 'none' } },
        fileFormat: 'CSV',
        syncFrequency: 1440,
      },
    ])
    expect(sent[0]).not.toHaveProperty('categoryReading')
  })

  it('puts https:// before a bare host when the field is left, and before it is sent', async () => {
    const { sent } = renderConnectionForm()
    const url = screen.getByLabelText<HTMLInputElement>('URL')
    await fillIn(url, 'example.com/stock.csv')
    await userEvent.tab()
    expect(url.value).toBe('https://example.com/stock.csv')
    await fillIn(screen.getByLabelText('Connection Name'), 'Spring')
    await userEvent.clear(url)
    await userEvent.type(url, 'shop.example:8443/a.csv{Enter}')
    expect(sent).toMatchObject([{ config: { url: 'https://shop.example:8443/a.csv' } }])
  })

  it('says which files are read, and at length on request', async () => {
    renderConnectionForm()
    expect(screen.getByRole('textbox', { name: 'URL', description: /Excel/ })).toBeDefined()
    const help = screen.getByText('How to send your file').closest('details')
    expect(help).toHaveProperty('open', false)
    await userEvent.click(screen.getByText('How to send your file'))
    expect(help).toHaveProperty('open', true)
  })

  it('previews a bare host at once', async () => {
    const { asked } = renderConnectionForm()
    await fillIn(screen.getByLabelText('URL'), 'example.com/stock.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
    expect(asked).toEqual(['preview'])
  })

  it('shows and submits how the file is read', async () => {
    const reading = { ...AUTOMATIC_READING, encoding: 'windows-1252' }
    const { sent } = renderConnectionForm({ ...sampleConnection, reading })
    expect(screen.getByText('Encoding Windows-1252')).toBeDefined()
    await userEvent.click(screen.getByRole('combobox', { name: 'Delimiter' }))
    await userEvent.click(screen.getByRole('option', { name: 'Semicolon' }))
    await userEvent.type(screen.getByLabelText('Lines to skip before the header'), '2')
    await userEvent.click(screen.getByRole('button', { name: 'Update Connection' }))
    expect(sent).toMatchObject([{ reading: { ...reading, delimiter: ';', skipLines: 2 } }])
    expect(sent[0]).not.toHaveProperty('categoryReading')
  })

  it('opens the preview only for a valid URL', async () => {
    const { asked } = renderConnectionForm()
    await fillIn(screen.getByLabelText('URL'), 'gopher://example.com/a.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
    expect(
      screen.getByText('Only http, https, s3, sftp, ftp and ftps addresses can be used'),
    ).toBeDefined()
    expect(asked).toEqual([])
  })

  it('shows where the file of a shared link is fetched from, and sends the link as typed', async () => {
    const { sent } = renderConnectionForm()
    const link = 'https://docs.google.com/spreadsheets/d/1Bxi/edit?gid=7#gid=7'
    await fill('Connection Name', 'Spring')
    await fill('URL', link)
    const field = screen.getByLabelText('URL')
    expect(
      document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
    ).toMatch(
      /Fetched from https:\/\/docs\.google\.com\/spreadsheets\/d\/1Bxi\/export\?format=csv&gid=7$/,
    )
    await submit('Create Connection')
    expect(sent).toMatchObject([{ config: { url: link } }])
    await fill('URL', 'https://example.com/a.csv')
    expect(screen.queryByText(/^Fetched from/)).toBeNull()
  })

  it('sends a masked address back as it is, and says so', async () => {
    const config = { ...sampleConnection.config, url: 'https://example.com/••••••' }
    const { sent } = renderConnectionForm({ ...sampleConnection, config })
    expect(screen.getByText(/^Part of it is hidden/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Update Connection' }))
    expect(sent).toMatchObject([{ config: { url: config.url } }])
  })
})

const { url } = sampleConnection.config
const saved: Connection = {
  ...sampleConnection,
  config: { url, auth: { type: 'basic', username: 'acme', password: '••••••' } },
}

const fill = (label: string, text: string) => fillIn(screen.getByLabelText(label), text)

async function chooseAccess(name: string) {
  await userEvent.click(screen.getByRole('combobox', { name: 'Access' }))
  await userEvent.click(screen.getByRole('option', { name }))
}

const submit = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('credentials of the source', () => {
  it('require the fields of the chosen kind', async () => {
    const { sent, asked } = renderConnectionForm()
    await fill('Connection Name', 'Spring')
    await fill('URL', 'https://example.com/a.csv')
    await chooseAccess('User name and password')
    await submit('Create Connection')
    expect(screen.getByText('User name is required')).toBeDefined()
    expect(screen.getByText('Password is required')).toBeDefined()
    await chooseAccess('Header')
    await submit('Preview')
    expect(screen.getByText('Header name is required')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Header Name'))
    await chooseAccess('Bearer token')
    await fill('Token', ' abc ')
    await submit('Preview')
    await submit('Create Connection')
    expect(asked).toEqual(['preview'])
    expect(sent).toMatchObject([{ config: { auth: { type: 'bearer', token: 'abc' } } }])
  })

  it('keep a saved secret until it is replaced', async () => {
    const { sent } = renderConnectionForm(saved)
    expect(screen.getByText(/Sent only to https:\/\/example\.com\./)).toBeDefined()
    await submit('Update Connection')
    await submit('Replace the password')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
    await submit('Update Connection')
    expect(screen.getByText('Password is required')).toBeDefined()
    await fill('Password', 'sesame')
    await submit('Update Connection')
    expect(sent.map(({ config }) => config.auth)).toEqual([
      { type: 'basic', username: 'acme', password: '••••••' },
      { type: 'basic', username: 'acme', password: 'sesame' },
    ])
  })

  it('are a key pair for an address of a bucket, and for no other', async () => {
    const { sent } = renderConnectionForm()
    await fill('Connection Name', 'Spring')
    await fill('URL', 's3://acme-files/stock.csv')
    expect(screen.queryByRole('combobox', { name: 'Access' })).toBeNull()
    expect(screen.getByRole('group', { name: 'Access' })).toBeDefined()
    await submit('Create Connection')
    expect(screen.getByText('Access key is required')).toBeDefined()
    expect(screen.getByText('Secret key is required')).toBeDefined()
    await fill('Access Key', 'AKIA1')
    await fill('Secret Key', 'sesame')
    await submit('Create Connection')
    const auth = { type: 's3', accessKeyId: 'AKIA1', secretAccessKey: 'sesame' }
    expect(sent).toMatchObject([
      {
        config: { url: 's3://acme-files/stock.csv', auth: { ...auth, region: 'us-east-1' } },
      },
    ])
    await fill('URL', 'https://example.com/a.csv')
    await submit('Create Connection')
    expect(sent[1]).toMatchObject({ config: { auth: { type: 'none' } } })
  })

  it('keep the secret key of a bucket while its file or region changes', async () => {
    const auth = {
      type: 's3',
      accessKeyId: 'AKIA1',
      secretAccessKey: '••••••',
      region: 'eu-west-1',
    } as const
    const config = { url: 's3://acme-files/stock.csv', auth }
    const { sent } = renderConnectionForm({ ...sampleConnection, config })
    await fill('Connection Name', 'Spring')
    await fill('URL', 's3://acme-files/other.csv')
    await fill('Region', 'eu-west-2')
    await submit('Update Connection')
    expect(sent).toMatchObject([{ config: { auth: { ...auth, region: 'eu-west-2' } } }])
    await fill('URL', 's3://other-files/other.csv')
    await submit('Update Connection')
    expect(screen.getByText('Secret key is required')).toBeDefined()
    expect(
      screen.getByText('Enter it again: the saved one is only for s3://acme-files.'),
    ).toBeDefined()
  })

  it('must be entered again when the URL has another origin', async () => {
    const { sent } = renderConnectionForm(saved)
    await fill('URL', 'https://example.com:8443/a.csv')
    expect(
      screen.getByText('Enter it again: the saved one is only for https://example.com.'),
    ).toBeDefined()
    await submit('Update Connection')
    expect(screen.getByText('Password is required')).toBeDefined()
    expect(sent).toEqual([])
    await fill('URL', 'https://example.com/b.csv')
    await submit('Update Connection')
    expect(sent).toMatchObject([{ config: { auth: { password: '••••••' } } }])
  })
})
