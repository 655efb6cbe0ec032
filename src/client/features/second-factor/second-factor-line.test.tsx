import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { OwnSecondFactor } from '../../../shared/schemas/second-factor'
import type { CurrentUser } from '../../../shared/schemas/user'
import {
  adminUser,
  Refusal,
  renderApp,
  supplierUser,
  type Answers,
  viewedUntil,
} from '../../testing/render-app'

const OFF: OwnSecondFactor = {
  since: null,
  recoveryCodesLeft: 0,
  hasPassword: true,
  isRequired: false,
}
const ON: OwnSecondFactor = {
  since: '2026-01-01T12:00:00.000Z',
  recoveryCodesLeft: 1,
  hasPassword: true,
  isRequired: false,
}

function open(factor: OwnSecondFactor, answers: Answers = {}, user: CurrentUser = adminUser) {
  renderApp('/dashboard/super-admin/settings', user, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'signInRules.get': () => ({ requirements: [], passwordMinLength: 6, isCommonRefused: false }),
    'secondFactor.get': () => factor,
    'passkeys.list': () => ({ passkeys: [], origin: null, program: null }),
    'secondFactor.prepare': () => ({ key: 'ABCDEFGH', uri: 'otpauth://totp/x', setup: 'sealed' }),
    ...answers,
  })
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const type = async (name: string, text: string) =>
  userEvent.type(await screen.findByLabelText(name), text)

describe('the second factor in the settings', () => {
  it('is turned on with a key to scan or to type, a code and the password', async () => {
    const sent: unknown[] = []
    open(OFF, {
      'secondFactor.turnOn': (input) => {
        sent.push(input)
        return { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] }
      },
    })
    await press('Turn on…')
    expect(await screen.findByRole('img', { name: /^QR code/ })).toBeDefined()
    expect(screen.getByText('ABCD EFGH')).toBeDefined()
    expect(
      screen.getByRole('link', { name: 'open it in an app on this device' }).getAttribute('href'),
    ).toBe('otpauth://totp/x')
    await type('Code', '123456')
    await type('Your password', 'secret')
    await press('Turn on')
    expect((await screen.findByText(/aaaa-bbbb/)).textContent).toBe('aaaa-bbbb\ncccc-dddd')
    expect(sent).toEqual([{ code: '123456', password: 'secret', setup: 'sealed' }])
    await press('I have kept them')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows the reason beside the field of a wrong code', async () => {
    open(OFF, {
      'secondFactor.turnOn': () => {
        throw new Refusal(400, 'This code is wrong', { code: 'This code is wrong' })
      },
    })
    await press('Turn on…')
    await type('Code', '1')
    await type('Your password', 'secret')
    await press('Turn on')
    const field = screen.getByLabelText('Code')
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(document.activeElement).toBe(field)
  })

  it('makes another key when the first try fails', async () => {
    let isBroken = true
    open(OFF, {
      'secondFactor.prepare': () => {
        if (isBroken) throw new Refusal(503, 'Not now')
        return { key: 'ABCD', uri: 'otpauth://totp/x', setup: 'sealed' }
      },
    })
    await press('Turn on…')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Not now')).toBeDefined()
    isBroken = false
    await press('Try Again')
    expect(await screen.findByRole('img', { name: /^QR code/ })).toBeDefined()
  })

  it('says since when it is on and how many recovery codes are left, and is turned off', async () => {
    const sent: unknown[] = []
    open(ON, {
      'secondFactor.turnOff': (input) => {
        sent.push(input)
        return { message: 'Second factor turned off' }
      },
    })
    expect(await screen.findByText(/^On since .*, with 1 recovery code left\.$/)).toBeDefined()
    await press('Turn off…')
    await type('Your password', 'secret')
    await type('Code', 'aaaa-bbbb')
    await press('Turn off')
    await waitFor(() => expect(sent).toEqual([{ password: 'secret', code: 'aaaa-bbbb' }]))
  })

  it('that is required is replaced with a code of the app of today, and not turned off', async () => {
    const sent: unknown[] = []
    open(
      { ...ON, isRequired: true },
      {
        'secondFactor.turnOn': (input) => {
          sent.push(input)
          return { recoveryCodes: ['aaaa-bbbb'] }
        },
      },
    )
    expect(await screen.findByText(/Your administrator asks for it/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Turn off…' })).toBeNull()
    await press('Replace…')
    await type('Code', '123456')
    await type('Code of the app of today', '654321')
    await type('Your password', 'secret')
    await press('Replace')
    expect(await screen.findByText('aaaa-bbbb')).toBeDefined()
    const proof = { code: '123456', oldCode: '654321', password: 'secret' }
    expect(sent).toEqual([{ ...proof, setup: 'sealed' }])
  })

  it('gets new recovery codes, which are shown once', async () => {
    open(ON, { 'secondFactor.renewCodes': () => ({ recoveryCodes: ['eeee-ffff'] }) })
    await press('New codes…')
    await type('Your password', 'secret')
    await type('Code', '123456')
    await press('Make new codes')
    expect(await screen.findByText('eeee-ffff')).toBeDefined()
  })

  it.each([
    [
      'who signs in with Google',
      { ...OFF, hasPassword: false },
      adminUser,
      /^You sign in with Google/,
    ],
    [
      'of somebody who is only viewed',
      OFF,
      { ...adminUser, viewedUntil: viewedUntil() },
      /^A code of an app/,
    ],
  ])('offers nothing to %s', async (_whom, factor, user, text) => {
    open(factor, {}, user)
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Turn on…' })).toBeNull()
  })
})

describe('the people of a company', () => {
  it('have a lost second factor turned off by another owner, after a question', async () => {
    const sent: unknown[] = []
    const person = {
      id: 7,
      username: 'ed',
      displayName: null,
      role: 'OWNER',
      isActive: true,
      isFirst: false,
      isSelf: false,
      hasSecondFactor: true,
      mailAddress: null,
      createdAt: ON.since,
      lastSeenAt: null,
    }
    const own = { ...person, id: 2, username: 'northbeck', isSelf: true, isFirst: true }
    renderApp('/people', supplierUser, {
      'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
      'people.list': () => [own, person],
      'invitations.people': () => ({ invitations: [], openCount: 0, hasMail: true }),
      'people.turnOffSecondFactor': (input) => {
        sent.push(input)
        return { message: 'Second factor turned off' }
      },
    })
    await press('Turn off the second factor of ed')
    expect(
      screen.queryByRole('button', { name: 'Turn off the second factor of northbeck' }),
    ).toBeNull()
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Turn off' }),
    )
    await waitFor(() => expect(sent).toEqual([{ personId: 7 }]))
  })
})
