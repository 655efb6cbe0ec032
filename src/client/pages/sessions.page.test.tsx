import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Session } from '../../shared/schemas/session'
import type { CurrentUser } from '../../shared/schemas/user'
import { Refusal, renderApp, supplierUser, type Answers, viewedUntil } from '../testing/render-app'

const here: Session = {
  id: 'a',
  program: 'Firefox on Windows',
  address: '203.0.113.9',
  since: '2026-01-15T08:00:00.000Z',
  lastUsedAt: '2026-01-15T08:30:00.000Z',
  isPresent: true,
}
const phone: Session = { ...here, id: 'b', program: 'Safari on iPhone', isPresent: false }
const earlier: Session = { ...phone, id: 'c', program: null, address: null }

function openSessions(
  sessions: Session[],
  { user = supplierUser as CurrentUser, answers = {} as Answers } = {},
) {
  let listed = sessions
  const calls: [string, unknown][] = []
  renderApp('/sessions', user, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'sessions.list': () => listed,
    'sessions.end': (input: { session: string }) => {
      calls.push(['end', input])
      listed = listed.filter(({ id }) => id !== input.session)
      return { message: 'Signed out there' }
    },
    'sessions.endOthers': (input: unknown) => {
      calls.push(['endOthers', input])
      listed = listed.filter(({ isPresent }) => isPresent)
      return { message: 'Signed out everywhere else' }
    },
    ...answers,
  })
  return calls
}

async function rowOf(name: string) {
  const table = within(await screen.findByRole('table', { name: 'Sessions', busy: false }))
  return within(table.getByText(name).closest('tr') as HTMLElement)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the page of sessions', () => {
  it('lists where the user is signed in, and marks the present one, which has no end', async () => {
    openSessions([here, phone, earlier])
    const own = await rowOf('Firefox on Windows')
    expect([own.getByText('This one'), own.getByText('203.0.113.9')]).toHaveLength(2)
    expect(own.queryByRole('button')).toBeNull()
    const other = await rowOf('Safari on iPhone')
    expect(other.getByRole('button', { name: 'Sign out of Safari on iPhone' })).toBeDefined()
    const unknown = await rowOf('Unknown program')
    expect(unknown.getByText('Not known')).toBeDefined()
  })

  it('ends one at once, and reads the list again', async () => {
    const calls = openSessions([here, phone])
    await press('Sign out of Safari on iPhone')
    expect(await screen.findByText('You are signed in here only')).toBeDefined()
    expect(calls).toEqual([['end', { session: 'b' }]])
    expect(screen.queryByText('Safari on iPhone')).toBeNull()
  })

  it('asks before it ends all others', async () => {
    const calls = openSessions([here, phone, earlier])
    await press('Sign out everywhere else')
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out everywhere else' }))
    expect(calls).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('You are signed in here only')).toBeDefined()
    expect(calls).toEqual([['endOthers', {}]])
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('says that a session has ended meanwhile', async () => {
    const refused = () => {
      throw new Refusal(404, 'Session not found')
    }
    openSessions([here, phone], { answers: { 'sessions.end': refused } })
    await press('Sign out of Safari on iPhone')
    expect(await screen.findByText('Session not found')).toBeDefined()
  })

  it('says why there is no list, and tries again', async () => {
    let isBroken = true
    const list = () => {
      if (isBroken) throw new Refusal(500, 'Something broke')
      return [here]
    }
    openSessions([], { answers: { 'sessions.list': list } })
    expect(await screen.findByText('Your sessions could not be loaded')).toBeDefined()
    isBroken = false
    await press('Try Again')
    expect(await screen.findByText('Firefox on Windows')).toBeDefined()
  })

  it('offers nothing to an administrator who only views the product as the user', async () => {
    const user = { ...supplierUser, viewedUntil: viewedUntil() }
    openSessions([{ ...here, isPresent: false }, phone], { user })
    const row = await rowOf('Safari on iPhone')
    expect(row.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('leads to the password', async () => {
    openSessions([here], { answers: { 'session.hasPassword': () => true } })
    await waitFor(() => expect(screen.getAllByText('Change Password').length).toBeGreaterThan(0))
    await press('Change Password')
    expect(await screen.findByLabelText('Current Password')).toBeDefined()
  })
})
