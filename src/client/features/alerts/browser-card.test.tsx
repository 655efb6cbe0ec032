import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderApp, supplierUser } from '../../testing/render-app'

type Answer = 'granted' | 'denied'

let shown: string[] = []

/** A browser that answers so when it is asked. */
function standIn(answer: Answer, construct: () => void = () => {}) {
  shown = []
  const requestPermission = vi.fn<() => Promise<Answer>>(async () => {
    Object.assign(Shown, { permission: answer })
    return answer
  })
  class Shown extends EventTarget {
    static permission: string = 'default'
    static requestPermission = requestPermission
    constructor(title: string) {
      super()
      construct()
      shown.push(title)
    }
  }
  vi.stubGlobal('Notification', Shown)
  return requestPermission
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const openAlerts = () =>
  renderApp('/alerts', supplierUser, {
    'alerts.choices': () => ({
      choices: [],
      mail: { isAvailable: false, address: null, pendingAddress: null },
    }),
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'webhooks.list': () => [],
  })

const findSwitch = () => screen.findByRole('switch', { name: /Show what the bell tells/ })

describe('notifications in the browser', () => {
  it('are off, and ask nothing, until they are turned on', async () => {
    const ask = standIn('granted')
    openAlerts()
    const toggle = await findSwitch()
    expect(toggle).toHaveProperty('checked', false)
    expect(ask).not.toHaveBeenCalled()
    await userEvent.click(toggle)
    await waitFor(() => expect(toggle).toHaveProperty('checked', true))
    expect(ask).toHaveBeenCalledOnce()
    expect(shown).toEqual(['Notifications are on'])
  })

  it('stay off where the browser blocks them, which is said', async () => {
    standIn('denied')
    openAlerts()
    const toggle = await findSwitch()
    await userEvent.click(toggle)
    await screen.findByText(/This browser blocks notifications/)
    expect(toggle).toHaveProperty('checked', false)
  })

  it('stay off where the browser has them but shows none', async () => {
    standIn('granted', () => {
      throw new TypeError('Illegal constructor')
    })
    openAlerts()
    const toggle = await findSwitch()
    await userEvent.click(toggle)
    await screen.findByText('This browser shows no notifications of pages.')
    expect(toggle).toHaveProperty('checked', false)
  })
})
