import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Refusal, renderWithAnswers } from '../testing/render-app'
import { trpc } from '../trpc'
import { LiveChanges } from './live-changes'

const SECOND = 1000

let isHealthy: boolean
let isRefused: boolean

const attempt = vi.fn<() => void>(() => {
  if (isRefused) throw new Refusal(504, 'Gateway Timeout')
})
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** A window whose stream has been refused once. */
async function openRefused() {
  renderWithAnswers(<LiveChanges />, { 'live.changes': attempt })
  await wait(0)
  expect(attempt).toHaveBeenCalledTimes(1)
  attempt.mockClear()
}

beforeEach(() => {
  vi.useFakeTimers()
  isHealthy = true
  isRefused = true
  attempt.mockClear()
  vi.stubGlobal('fetch', async () => new Response('', { status: isHealthy ? 200 : 502 }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('an event stream that was refused', () => {
  it('is opened again after ten seconds, and then less and less often', async () => {
    await openRefused()
    await wait(10 * SECOND)
    expect(attempt).toHaveBeenCalledTimes(1)
    // In steps, because React renders only after each.
    for (let step = 1; step < 360; step += 1) await wait(10 * SECOND)
    expect(attempt).toHaveBeenCalledTimes(15)
  })

  it('is opened once the server answers, however long that takes', async () => {
    await openRefused()
    isHealthy = false
    for (let step = 0; step < 360; step += 1) await wait(10 * SECOND)
    expect(attempt).not.toHaveBeenCalled()
    expect(screen.getByRole('status').textContent).toContain('Connection lost, reconnecting …')
    isHealthy = true
    isRefused = false
    await wait(10 * SECOND)
    expect(attempt).toHaveBeenCalledTimes(1)
    await wait(3 * SECOND)
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('is opened at once when the browser is back online', async () => {
    await openRefused()
    window.dispatchEvent(new Event('online'))
    await wait(0)
    expect(attempt).toHaveBeenCalledTimes(1)
  })
})

describe('a browser that says it is offline', () => {
  beforeEach(() => {
    isRefused = false
  })
  afterEach(() => window.dispatchEvent(new Event('online')))

  it('tells of the loss though the server still answered then', async () => {
    renderWithAnswers(<LiveChanges />, { 'live.changes': attempt })
    await wait(0)
    window.dispatchEvent(new Event('offline'))
    await wait(0)
    isHealthy = false
    for (let step = 0; step < 10; step += 1) await wait(SECOND)
    expect(screen.getByRole('status').textContent).toContain('Connection lost, reconnecting …')
  })

  it('tells of nothing where the server is on the same machine', async () => {
    renderWithAnswers(<LiveChanges />, { 'live.changes': attempt })
    await wait(0)
    window.dispatchEvent(new Event('offline'))
    for (let step = 0; step < 10; step += 1) await wait(SECOND)
    expect(screen.getByRole('status').textContent).toBe('')
    expect(attempt).toHaveBeenCalledTimes(1)
  })
})

describe('a window that is shown again', () => {
  const show = (state: DocumentVisibilityState) =>
    act(() => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })

  function People() {
    const { data } = trpc.people.list.useQuery({})
    return <p>{data?.map(({ username }) => username).join()}</p>
  }

  it('lists the people of the company as they are by then', async () => {
    isRefused = false
    let username = 'ed'
    renderWithAnswers(
      <>
        <LiveChanges />
        <People />
      </>,
      { 'live.changes': attempt, 'people.list': () => [{ username }] },
    )
    await wait(0)
    username = 'vera'
    show('hidden')
    await wait(0)
    expect(screen.getByText('ed')).toBeDefined()
    show('visible')
    await wait(0)
    expect(screen.getByText('vera')).toBeDefined()
  })
})
