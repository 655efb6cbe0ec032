import { useLayoutEffect, useState, type RefObject } from 'react'

/** The element's inner width without its scroll bar, kept current; 0 before the first layout. */
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
