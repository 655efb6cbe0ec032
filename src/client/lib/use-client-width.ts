import { useLayoutEffect, useState, type RefObject } from 'react'

/**
 * The width of an element in px without its scroll bar; 0 before the first layout. Mantine's
 * `useElementSize` includes the scroll bar, and knows the width only after the first paint.
 */
export function useClientWidth(element: RefObject<HTMLElement | null>): number {
  return useWidthFrom(element, 0) ?? 0
}

/**
 * The same where it is at least `minPx`, and 0 where it is less; undefined before the first layout. In a window that
 * is narrower it is known at once: a phone takes long for a layout in the middle of showing a page.
 */
export function useWidthFrom(
  element: RefObject<HTMLElement | null>,
  minPx: number,
): number | undefined {
  const [widthPx, setWidthPx] = useState(() => (isNarrowWindow(minPx) ? 0 : undefined))
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return
    const measure = () => {
      const { clientWidth } = node
      setWidthPx(clientWidth >= minPx ? clientWidth || undefined : 0)
    }
    if (!isNarrowWindow(minPx)) measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [element, minPx])
  return widthPx
}

const isNarrowWindow = (minPx: number) => window.innerWidth < minPx
