import { useCallback } from 'react'

/** Room between a bar and what gets the focus beside it, for the focus ring. */
const GAP_PX = 8

/**
 * For the `ref` of a bar that sticks to an edge of the window or of its dialog: what gets the focus
 * is scrolled clear of it, however high it is.
 */
export function useStickyBar(edge: 'top' | 'bottom') {
  return useCallback(
    (bar: HTMLElement | null) => {
      if (!bar) return undefined
      const scroller = bar.closest<HTMLElement>('.mantine-Modal-body') ?? document.documentElement
      const property = `scroll-padding-${edge}`
      const observer = new ResizeObserver(() => {
        const inset = Number.parseFloat(getComputedStyle(bar)[edge]) || 0
        scroller.style.setProperty(property, `${bar.offsetHeight + inset + GAP_PX}px`)
      })
      observer.observe(bar)
      return () => {
        observer.disconnect()
        scroller.style.removeProperty(property)
      }
    },
    [edge],
  )
}
