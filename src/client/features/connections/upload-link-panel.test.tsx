import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { UploadLink } from '../../../shared/schemas/upload-link'
import { Toaster } from '../../components/feedback/toaster'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import {
  activeLink,
  answerLinks,
  clickButton,
  confirm,
  replacedLink,
} from '../../testing/secret-link-answers'
import { UploadLinkPanel } from './upload-link-panel'

const URL = 'https://stock.example/upload/secret-token'

function renderPanel(links: UploadLink[], others: Parameters<typeof renderWithAnswers>[1] = {}) {
  const { answers, calls } = answerLinks('uploadLinks', links, '/upload/secret-token')
  renderWithAnswers(
    <>
      <UploadLinkPanel connectionId={3} />
      <Toaster />
    </>,
    { ...answers, ...others },
  )
  return calls
}

describe('the upload link of a connection', () => {
  it('is announced and shown whole when it is created, with an example that contains it', async () => {
    renderPanel([])
    await clickButton('Create link')
    const shown = await screen.findByRole('status')
    expect(shown.textContent).toContain('Copy the link now: it is shown only once')
    expect(within(shown).getByText(URL)).toBeDefined()
    expect(screen.getByText(`curl -T stock.xlsx ${URL}/`)).toBeDefined()
  })

  it('is known later only by the end of its token and its last use', async () => {
    renderPanel([activeLink, replacedLink])
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
    const calls = renderPanel([activeLink])
    await clickButton('Replace')
    expect(calls).toEqual([])
    await confirm('Replace')
    expect(await screen.findByText(URL)).toBeDefined()
    await clickButton('Revoke')
    await confirm('Revoke')
    expect(await screen.findByText('No link yet')).toBeDefined()
    expect(screen.queryByText(URL)).toBeNull()
    expect(calls).toEqual(['create', 'revoke'])
  })

  it('says why none could be created', async () => {
    renderPanel([], {
      'uploadLinks.create': () => Promise.reject(new Refusal(503, 'The disk is full')),
    })
    await clickButton('Create link')
    expect(await screen.findByText('The disk is full')).toBeDefined()
  })
})
