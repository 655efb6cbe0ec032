import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { UploadLink } from '../../../shared/schemas/upload-link'
import { Toaster } from '../../components/feedback/toaster'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { UploadLinkPanel } from './upload-link-panel'

const HOUR = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

const active: UploadLink = {
  id: 2,
  tokenEnd: 'x7Qa',
  createdAt: ago(HOUR),
  expiresAt: null,
  lastUsedAt: ago(5 * 60_000),
  lastClient: 'curl',
}
const replaced: UploadLink = {
  ...active,
  id: 1,
  tokenEnd: 'b_9K',
  expiresAt: ago(-20 * HOUR),
  lastUsedAt: null,
  lastClient: null,
}
const URL = 'https://stock.example/upload/secret-token'

function renderPanel(links: UploadLink[], isBroken = false) {
  const calls: string[] = []
  renderWithAnswers(
    <>
      <UploadLinkPanel connectionId={3} />
      <Toaster />
    </>,
    {
      'app.info': () => ({ appName: 'Stockbridge', publicUrl: 'https://stock.example' }),
      'uploadLinks.list': () => links,
      'uploadLinks.create': () => {
        calls.push('create')
        if (isBroken) throw new Refusal(503, 'The disk is full')
        links = [active]
        return { path: '/upload/secret-token' }
      },
      'uploadLinks.revoke': () => {
        calls.push('revoke')
        links = []
        return { message: 'Upload links revoked' }
      },
    },
  )
  return calls
}

const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const confirm = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

describe('the upload link of a connection', () => {
  it('is announced and shown whole when it is created, with an example that contains it', async () => {
    renderPanel([])
    await click('Create link')
    const shown = await screen.findByRole('status')
    expect(shown.textContent).toContain('Copy the link now: it is shown only once')
    expect(within(shown).getByText(URL)).toBeDefined()
    expect(screen.getByText(`curl -T stock.xlsx ${URL}/`)).toBeDefined()
  })

  it('is known later only by the end of its token and its last use', async () => {
    renderPanel([active, replaced])
    const list = await screen.findByRole('list', { name: 'Upload links' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '/upload/…x7QaActiveUsed 5 minutes ago with curl',
      '/upload/…b_9KEnds in 20 hoursNot used yet',
    ])
    expect(screen.getByText(/YOUR-TOKEN/)).toBeDefined()
  })

  it('is replaced and revoked only after a question', async () => {
    const calls = renderPanel([active])
    await click('Replace')
    expect(calls).toEqual([])
    await confirm('Replace')
    expect(await screen.findByText(URL)).toBeDefined()
    await click('Revoke')
    await confirm('Revoke')
    expect(await screen.findByText('No link yet')).toBeDefined()
    expect(screen.queryByText(URL)).toBeNull()
    expect(calls).toEqual(['create', 'revoke'])
  })

  it('says why none could be created', async () => {
    renderPanel([], true)
    await click('Create link')
    expect(await screen.findByText('The disk is full')).toBeDefined()
  })
})
