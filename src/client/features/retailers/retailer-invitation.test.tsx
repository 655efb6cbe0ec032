import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { SignedInUserContext } from '../../session/current-user'
import { renderWithAnswers, supplierUser } from '../../testing/render-app'
import { sampleRetailer } from '../../testing/sample-records'
import { AddRetailerDialog } from './add-retailer-dialog'
import { EditRetailerDialog } from './edit-retailer-dialog'

/** Renders a dialog, and returns the passwords that it saves and how often it is closed. */
function open(show: (dialog: { isOpen: true; onClose: () => void }) => ReactNode) {
  const seen = { passwords: [] as string[], closed: 0 }
  const close = () => {
    seen.closed += 1
  }
  renderWithAnswers(
    <SignedInUserContext value={supplierUser}>
      {show({ isOpen: true, onClose: close })}
    </SignedInUserContext>,
    {
      'app.info': () => ({ publicUrl: 'https://stock.example' }),
      'session.register': ({ password }: { password: string }) => {
        seen.passwords.push(password)
        return supplierUser
      },
      'retailers.create': () => sampleRetailer,
      'retailers.updateBasicInfo': () => sampleRetailer,
      'users.username': () => ({ id: sampleRetailer.userId, username: sampleRetailer.username }),
      'users.resetPassword': ({ newPassword }: { newPassword: string }) => {
        seen.passwords.push(newPassword)
        return { message: 'Password updated' }
      },
    },
  )
  return seen
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

async function paste(label: string, text: string) {
  await userEvent.click(await screen.findByLabelText(label))
  await userEvent.paste(text)
}

async function fillInRetailer() {
  await paste('Username', 'corner')
  await paste('Email', 'corner@shop.example')
  await paste('Store Name', 'Corner Shop')
}

describe('a retailer’s password', () => {
  it('that was generated is shown in an invitation after the retailer was added', async () => {
    const seen = open((dialog) => <AddRetailerDialog {...dialog} />)
    await fillInRetailer()
    await press('Generate')
    await press('Create Retailer')
    const invitation = await screen.findByText(/^Hello Corner Shop,/)
    expect(seen.passwords).toHaveLength(1)
    expect(invitation.textContent).toContain(
      `Address: https://stock.example\nUsername: corner\nPassword: ${seen.passwords[0]}`,
    )
    expect(seen.closed).toBe(0)
    await press('Done')
    expect(seen.closed).toBe(1)
  })

  it('that was typed is not shown: the dialog closes', async () => {
    const seen = open((dialog) => <AddRetailerDialog {...dialog} />)
    await fillInRetailer()
    await paste('Password', 'correct horse')
    await press('Create Retailer')
    await expect.poll(() => seen.closed).toBe(1)
    expect(screen.queryByText(/^Hello/)).toBeNull()
  })

  it('that was generated anew is shown in an invitation too', async () => {
    const seen = open((dialog) => <EditRetailerDialog {...dialog} retailer={sampleRetailer} />)
    await press('Generate')
    await press('Save')
    const invitation = await screen.findByText(/^Hello /)
    expect(invitation.textContent).toContain(
      `Username: ${sampleRetailer.username}\nPassword: ${seen.passwords[0]}`,
    )
    expect(seen.closed).toBe(0)
  })
})
