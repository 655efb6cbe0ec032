import type { Page } from './page'

/** What leaves the view sideways: the page, or a control. */
export const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
    const clips = (node: Element) => getComputedStyle(node).overflowX !== 'visible'

    /** The part of an element that is in view without scrolling sideways. */
    function visiblePart(element: Element): [left: number, right: number] {
      let { left, right } = element.getBoundingClientRect()
      for (let node = element.parentElement; node; node = node.parentElement) {
        if (!clips(node)) continue
        const frame = node.getBoundingClientRect()
        left = Math.max(left, frame.left)
        right = Math.min(right, frame.right)
      }
      return [Math.max(left, 0), Math.min(right, clientWidth)]
    }

    for (const control of document.querySelectorAll(
      ':is(main, #root:not(:has(main)), [role="dialog"]) :is(a, button, input, select, textarea)',
    )) {
      if (!control.checkVisibility()) continue
      const box = control.getBoundingClientRect()
      const [left, right] = visiblePart(control)
      // A link may be cut, like any text; other controls are whole.
      const needed = control.matches('a') ? Math.min(box.width, 20) : box.width
      if (right - left < needed - 1) {
        const name = control.getAttribute('aria-label') ?? control.textContent
        found.push(`${control.tagName} ${name?.slice(0, 40)}: ${box.left} to ${box.right}`)
      }
    }
    return found
  })
