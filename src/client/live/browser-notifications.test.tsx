import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { SignedInUserContext } from '../session/current-user'
import { renderWithAnswers, supplierUser } from '../testing/render-app'
import { trpc } from '../trpc'
import { HiddenNotifier } from './hidden-notifier'

const KEY = `stockbridge-notifications-${supplierUser.id}`

let shown: string[]
let visibility: 'visible' | 'hidden'
let held: string[]

class Shown extends EventTarget {
  static permission = 'granted'
  constructor(title: string, { body, tag }: { body: string; tag: string }) {
    super()
    shown.push(`${tag}: ${title}, ${body}`)
  }
}

beforeEach(() => {
  shown = []
  held = []
  visibility = 'visible'
  vi.stubGlobal('Notification', Shown)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  const locks = {
    request: async (name: string, _options: object, hold: () => Promise<void>) => {
      held.push(name)
      await hold()
      held = []
    },
  }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const alert = (id: number, isRead = false) => ({
  id,
  title: `File ${id} is held`,
  text: 'Far fewer rows',
  path: '/supplier/connections',
  isRead,
})

let told: object[]
const listed = vi.fn<() => object>(() => ({ notifications: told, unreadCount: told.length }))

function Window() {
  const [isKept, setKept] = useState(false)
  const { refetch } = trpc.alerts.list.useQuery()
  return (
    <button type="button" onClick={() => void refetch()}>
      {isKept ? 'listening' : 'silent'}
      <HiddenNotifier onKept={setKept} />
    </button>
  )
}

async function open(isWanted: boolean) {
  localStorage.setItem(KEY, JSON.stringify(isWanted))
  told = [alert(1)]
  listed.mockClear()
  renderWithAnswers(
    <SignedInUserContext value={supplierUser}>
      <Window />
    </SignedInUserContext>,
    { 'alerts.list': listed },
  )
  await waitFor(() => expect(listed).toHaveBeenCalledOnce())
}

async function tell(notifications: object[]) {
  told = notifications
  listed.mockClear()
  screen.getByRole('button').click()
  await waitFor(() => expect(listed).toHaveBeenCalledOnce())
  // What has been answered is rendered.
  await act(async () => {})
}

function setVisibility(state: 'visible' | 'hidden') {
  visibility = state
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

it('shows what is new and unread, once, while the window is hidden', async () => {
  await open(true)
  await tell([alert(2), alert(1)])
  expect(shown).toEqual([])
  setVisibility('hidden')
  await tell([alert(4, true), alert(3), alert(2), alert(1)])
  await tell([alert(4, true), alert(3), alert(2), alert(1)])
  expect(shown).toEqual(['stockbridge-3: File 3 is held, Far fewer rows'])
})

it('shows nothing unless it is turned on', async () => {
  await open(false)
  setVisibility('hidden')
  await tell([alert(2), alert(1)])
  expect(shown).toEqual([])
  expect(screen.getByText('silent')).toBeDefined()
})

it('keeps the stream of the hidden window that has the lock, and gives it back', async () => {
  await open(true)
  expect(screen.getByText('silent')).toBeDefined()
  setVisibility('hidden')
  await screen.findByText('listening')
  expect(held).toEqual(['stockbridge-notifications'])
  setVisibility('visible')
  await screen.findByText('silent')
  await waitFor(() => expect(held).toEqual([]))
})
