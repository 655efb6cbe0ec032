import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

import type { AlertChoices, Notification } from '../../shared/schemas/alert'
import type { User } from '../../shared/schemas/user'
import { adminUser, Refusal, renderApp, supplierUser } from '../testing/render-app'

const failed: Notification = {
  id: 7,
  kind: 'feed.failed',
  title: 'Main feed: the source fails',
  text: 'The server answered 503.',
  path: '/alerts',
  createdAt: '2026-01-15T08:30:00.000Z',
  isRead: false,
}
const choices: AlertChoices = {
  choices: [{ kind: 'feed.failed', isWanted: { bell: true, mail: false } }],
  digest: { period: null, weekday: 1, timeZone: 'UTC', pricePercent: 5, categories: [] },
  mail: { isAvailable: true, address: 'acme@example.com', pendingAddress: null },
}
const webhook = {
  id: 3,
  url: 'https://example.com/hook',
  kinds: ['feed.failed'],
  isActive: true,
  switchedOffAt: null,
  createdAt: '2026-01-15T08:30:00.000Z',
  last: null,
}

let calls: [string, unknown][]
let notifications: Notification[]

beforeEach(() => {
  calls = []
  notifications = [failed]
})

const counted =
  (path: string, result: unknown = { message: 'Done' }) =>
  (input: unknown) => {
    calls.push([path, input])
    return result
  }

function renderAlerts(
  { path = '/alerts', user = supplierUser }: { path?: string; user?: User } = {},
  answers: Parameters<typeof renderApp>[2] = {},
) {
  return renderApp(path, user, {
    'alerts.list': () => ({
      notifications,
      unreadCount: notifications.filter(({ isRead }) => !isRead).length,
    }),
    'alerts.markRead': (input: { id?: number }) => {
      calls.push(['alerts.markRead', input])
      notifications = notifications.map((item) => ({ ...item, isRead: true }))
      return { message: 'Marked as read' }
    },
    'alerts.choices': () => choices,
    'alerts.choose': counted('alerts.choose'),
    'alerts.confirmAddress': counted('alerts.confirmAddress', { message: 'Address confirmed' }),
    'webhooks.list': () => [],
    'webhooks.create': counted('webhooks.create', { id: 3, secret: 'whsec_c2VjcmV0' }),
    'webhooks.deliveries': () => [],
    ...answers,
  })
}

const click = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }))

describe('the bell', () => {
  it('counts what is unread, and leads to where it is', async () => {
    renderAlerts()
    await click('Notifications, 1 unread')
    const item = (await screen.findByText('Main feed: the source fails')).closest('a')!
    expect(item.getAttribute('href')).toBe('/alerts')
    await userEvent.click(item)
    expect(calls).toEqual([['alerts.markRead', { id: 7 }]])
    await screen.findByRole('button', { name: 'Notifications' })
  })

  it('marks everything as read', async () => {
    renderAlerts()
    await click('Notifications, 1 unread')
    await click('Mark all read')
    await screen.findByRole('button', { name: 'Notifications' })
    expect(calls).toEqual([['alerts.markRead', {}]])
  })
})

describe('the choice of alerts', () => {
  it('is saved with each switch', async () => {
    renderAlerts()
    const mail = await screen.findByRole('switch', { name: 'Feed fails: E-mail' })
    await userEvent.click(mail)
    expect(calls).toEqual([['alerts.choose', { kind: 'feed.failed', way: 'mail', isWanted: true }]])
    expect((mail as HTMLInputElement).checked).toBe(true)
  })

  it('goes back when it cannot be saved', async () => {
    renderAlerts(
      {},
      {
        'alerts.choose': () => {
          throw new Refusal(503, 'The server cannot write at the moment.')
        },
      },
    )
    const bell = await screen.findByRole('switch', { name: 'Feed fails: In the app' })
    await userEvent.click(bell)
    await screen.findByText('The server cannot write at the moment.')
    await waitFor(() => expect((bell as HTMLInputElement).checked).toBe(true))
  })

  it('offers no e-mail before an address is confirmed', async () => {
    const mail = { isAvailable: true, address: null, pendingAddress: 'new@example.com' }
    renderAlerts({}, { 'alerts.choices': () => ({ ...choices, mail }) })
    const off = await screen.findByRole('switch', { name: 'Feed fails: E-mail' })
    expect((off as HTMLInputElement).disabled).toBe(true)
    await screen.findByText('Open the link in the mail')
  })

  it('says what an administrator must set when no mail server is configured', async () => {
    const mail = { isAvailable: false, address: null, pendingAddress: null }
    renderAlerts({ user: adminUser }, { 'alerts.choices': () => ({ ...choices, mail }) })
    await screen.findByText('SMTP_URL')
    expect(screen.queryByLabelText('Address')).toBeNull()
  })
})

it('saves how often somebody is told what has changed, and of what', async () => {
  renderAlerts({}, { 'alerts.chooseDigest': counted('alerts.chooseDigest') })
  await userEvent.selectOptions(await screen.findByLabelText('How often'), 'weekly')
  await userEvent.selectOptions(screen.getByLabelText('Day'), 'Friday')
  await userEvent.type(screen.getByLabelText('Only these categories'), 'Shoes{enter}Hats')
  const form = screen.getByRole('form', { name: 'What has changed in the items' })
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toMatchObject([
    'alerts.chooseDigest',
    { period: 'weekly', weekday: 5, pricePercent: 5, categories: ['Shoes', 'Hats'] },
  ])
})

it('confirms an address when the page is opened by its link, once', async () => {
  const { router } = renderAlerts({ path: '/alerts#confirm=secret-token' })
  await screen.findByText('Address confirmed')
  expect(calls).toEqual([['alerts.confirmAddress', { token: 'secret-token' }]])
  expect(router.state.location.hash).toBe('')
})

it('shows the secret of a new webhook', async () => {
  renderAlerts()
  await click('Add Webhook')
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText('Address'), webhook.url)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add Webhook' }))
  await screen.findByText('whsec_c2VjcmV0')
  expect(calls[0]).toMatchObject(['webhooks.create', { url: webhook.url, isActive: true }])
})

it('says that a webhook was switched off, and switches it on again', async () => {
  let switchedOffAt: string | null = '2026-01-15T08:30:00.000Z'
  renderAlerts(
    {},
    {
      'webhooks.list': () => [{ ...webhook, isActive: switchedOffAt === null, switchedOffAt }],
      'webhooks.update': (input: unknown) => {
        calls.push(['webhooks.update', input])
        switchedOffAt = null
        return { message: 'Webhook saved' }
      },
    },
  )
  await screen.findByText(/because every request had failed for a day/)
  await click(`Switch on ${webhook.url}`)
  await screen.findByText('The webhook is switched on')
  await waitFor(() => expect(screen.queryByText(/had failed for a day/)).toBeNull())
  const { id, url, kinds } = webhook
  expect(calls).toEqual([['webhooks.update', { id, url, kinds, isActive: true }]])
})
