/** The browser parts that Mantine asks for and jsdom lacks. Runs before each file, in one window. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'

// A busy machine takes its time; what never appears fails all the same.
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

/** jsdom lays nothing out; a list that shows what fits its height needs one. */
Object.defineProperties(window.HTMLElement.prototype, {
  clientHeight: { get: () => 320, configurable: true },
  clientWidth: { get: () => 480, configurable: true },
})

window.HTMLElement.prototype.scrollIntoView = () => {}

const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)

// The library does so for the first file alone.
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

afterEach(() => {
  cleanup()
  localStorage.clear()
})
