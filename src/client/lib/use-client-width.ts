import { useLayoutEffect, useState, type RefObject } from 'react'

/**
 * The width of an element in px without its scroll bar; 0 before the first layout. Mantine's
 * `useElementSize` includes the scroll bar, and knows the width only after the first paint.
 */
export function useClientWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return
    const measure = () => setWidthPx(node.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
