import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { Truncated } from './truncated'

const NAME = 'A name that is too long for its column'

/** jsdom has no layout. */
const cut = (element: HTMLElement) =>
  Object.defineProperty(element, 'scrollWidth', { get: () => element.clientWidth + 1 })

const tooltip = () => screen.queryByRole('tooltip')?.textContent ?? null

describe('Truncated', () => {
  it('shows a cut text as a whole while the pointer is over it', async () => {
    renderInTheme(<Truncated text={NAME} />)
    const text = screen.getByText(NAME)
    cut(text)
    await userEvent.hover(text)
    expect(tooltip()).toBe(NAME)
    await userEvent.unhover(text)
    expect(tooltip()).toBeNull()
  })

  it('has no tooltip for a text that fits', async () => {
    renderInTheme(<Truncated text={NAME} />)
    await userEvent.hover(screen.getByText(NAME))
    expect(tooltip()).toBeNull()
  })

  it('shows a cut link as a whole when the keyboard reaches it, until Escape', async () => {
    renderInTheme(
      <Truncated text={NAME}>
        <a href="/" data-truncates>
          {NAME}
        </a>
      </Truncated>,
    )
    cut(screen.getByRole('link'))
    await userEvent.tab()
    expect(tooltip()).toBe(NAME)
    await userEvent.keyboard('{Escape}')
    expect(tooltip()).toBeNull()
  })
})
