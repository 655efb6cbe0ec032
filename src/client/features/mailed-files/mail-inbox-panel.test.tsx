import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Mail, MailInbox } from '../../../shared/schemas/mail-inbox'
import { Toaster } from '../../components/feedback/toaster'
import { sampleMailInbox as inbox, waitingMail as waiting } from '../../testing/mail-answers'
import { renderWithAnswers } from '../../testing/render-app'
import { clickButton, confirm } from '../../testing/secret-link-answers'
import { MailInboxPanel } from './mail-inbox-panel'

const taken: Mail = { ...waiting, id: 6, state: 'taken', reason: null, waitsUntil: null }

function renderPanel(
  shown: { isAvailable: boolean; inbox: MailInbox | null },
  mails: Mail[] = [],
): unknown[] {
  const calls: unknown[] = []
  const note = (name: string, answer: unknown) => (input: unknown) => {
    calls.push([name, input])
    return answer
  }
  renderWithAnswers(
    <>
      <MailInboxPanel connectionId={3} />
      <Toaster />
    </>,
    {
      'mailInboxes.get': () => shown,
      'mails.list': () => mails,
      'mailInboxes.create': note('create', inbox),
      'mailInboxes.allowSenders': note('allow', inbox),
      'mailInboxes.revoke': note('revoke', { message: 'Address ended' }),
      'mails.take': note('take', { message: 'The file is taken' }),
      'mails.discard': note('discard', { message: 'The mail is discarded' }),
    },
  )
  return calls
}

describe('the address for mails', () => {
  it('is created where there is none', async () => {
    const calls = renderPanel({ isAvailable: true, inbox: null })
    await clickButton('Create address')
    expect(calls).toEqual([['create', { id: 3 }]])
  })

  it('is not offered where the installation receives no mails', async () => {
    renderPanel({ isAvailable: false, inbox: null })
    expect(await screen.findByText('Not available here')).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('is shown with the senders whose mails are taken, and revoked after a question', async () => {
    const calls = renderPanel({ isAvailable: true, inbox })
    expect(await screen.findByText(inbox.address)).toBeDefined()
    const senders = screen.getByRole('list', { name: 'Allowed senders' })
    expect(senders.textContent).toBe('stock@acme.example')
    await clickButton('Revoke')
    expect(calls).toEqual([])
    await confirm('Revoke')
    expect(calls).toEqual([['revoke', { id: 3 }]])
  })
})

describe('the last mails', () => {
  it('tell from whom each came, and why one waits', async () => {
    renderPanel({ isAvailable: true, inbox }, [waiting, taken])
    const items = within(await screen.findByRole('list', { name: 'Last mails' })).getAllByRole(
      'listitem',
    )
    expect(items[0]?.textContent).toContain('Waits for you')
    expect(items[0]?.textContent).toContain('anna@agency.example · “Stock of today”')
    expect(items[0]?.textContent).toContain(waiting.reason)
    expect(within(items[1]!).queryByRole('button')).toBeNull()
  })

  it('are taken with one click, with their sender from then on, or discarded after a question', async () => {
    const calls = renderPanel({ isAvailable: true, inbox }, [waiting])
    await userEvent.click(await screen.findByRole('button', { name: 'Take stock.csv' }))
    const always = { name: 'Always take this sender, anna@agency.example' }
    await userEvent.click(await screen.findByRole('button', always))
    await userEvent.click(screen.getByRole('button', { name: 'Discard stock.csv' }))
    await confirm('Discard')
    expect(calls).toEqual([
      ['take', { id: 3, mailId: 7, allowsSender: false }],
      ['take', { id: 3, mailId: 7, allowsSender: true }],
      ['discard', { id: 3, mailId: 7 }],
    ])
  })
})
