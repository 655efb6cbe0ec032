import { renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { useKeptOpen } from './use-kept-open'

function render(isWanted: boolean, isPossible: boolean) {
  const { result, rerender } = renderHook((given: [boolean, boolean]) => useKeptOpen(...given), {
    initialProps: [isWanted, isPossible],
  })
  return {
    isOpen: () => result.current,
    become: (...given: [boolean, boolean]) => rerender(given),
  }
}

describe('useKeptOpen', () => {
  it('opens only once opening is possible', () => {
    const { isOpen, become } = render(true, false)
    expect(isOpen()).toBe(false)
    become(true, true)
    expect(isOpen()).toBe(true)
  })

  it('stays open when opening becomes impossible, until it is closed', () => {
    const { isOpen, become } = render(true, true)
    become(true, false)
    expect(isOpen()).toBe(true)
    become(false, false)
    expect(isOpen()).toBe(false)
    become(true, false)
    expect(isOpen()).toBe(false)
  })
})
