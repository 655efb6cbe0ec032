import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { lazyPart } from './lazy-part'

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>
const options = { name: 'greeting', height: 40 }

afterEach(() => vi.unstubAllGlobals())

describe('lazyPart', () => {
  it('loads the part when it is first shown, and shows it at once the next time', async () => {
    const load = vi.fn<() => Promise<typeof Greeting>>(async () => Greeting)
    const Part = lazyPart(load, options)
    expect(load).not.toHaveBeenCalled()
    const { unmount } = renderInTheme(<Part name="Ada" />)
    expect(screen.getByRole('status', { name: 'Loading the greeting' })).toBeDefined()
    expect(await screen.findByText('Hello Ada')).toBeDefined()
    unmount()
    renderInTheme(<Part name="Grace" />)
    expect(screen.getByText('Hello Grace')).toBeDefined()
    expect(load).toHaveBeenCalledTimes(1)
  })

  it.each([
    [() => Promise.reject(new TypeError('Failed to fetch')), 1, 'The server could not be reached'],
    // While the server answers, it is tried twice.
    [async () => new Response('{}'), 2, 'The application has been updated. Reload the page.'],
  ])('says why it could not be loaded, and tries again: %#', async (askServer, tries, message) => {
    vi.stubGlobal('fetch', askServer)
    const load = vi.fn<() => Promise<typeof Greeting>>(async () => Greeting)
    const failure = new TypeError('Failed to fetch dynamically imported module')
    for (let count = 0; count < tries; count++) load.mockRejectedValueOnce(failure)
    const Part = lazyPart(load, options)
    renderInTheme(<Part name="Ada" />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The greeting could not be loaded')
    expect(alert.textContent).toContain(message)
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Hello Ada')).toBeDefined()
  })

  it('is loaded as soon as the server can be reached again', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const load = vi.fn<() => Promise<typeof Greeting>>(async () => Greeting)
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const Part = lazyPart(load, options)
    renderInTheme(<Part name="Ada" />)
    await screen.findByRole('alert')
    vi.stubGlobal('fetch', async () => new Response('{}'))
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByText('Hello Ada')).toBeDefined()
  })
})
