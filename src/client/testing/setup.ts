/** Stubs for browser APIs that Mantine needs and jsdom lacks. Runs before each test file. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'

import { dismissToast } from '../lib/toast'

// Generous, because a loaded machine is slow; an element that never appears still fails the test.
configure({ asyncUtilTimeout: 20_000 })

window.matchMedia = (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
})

window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** jsdom has no layout, but tables and virtualized lists need a size. */
Object.defineProperties(window.HTMLElement.prototype, {
  clientHeight: { get: () => 320, configurable: true },
  clientWidth: { get: () => 1280, configurable: true },
})

window.HTMLElement.prototype.scrollIntoView = () => {}

const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)

// Testing Library only sets it for the first test file.
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  // Test files share it.
  dismissToast()
})
