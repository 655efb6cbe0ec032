import { useLayoutEffect, useRef } from 'react'

/** Gives the focus back to the element that had it, when content that was hidden is shown again. */
export function useKeptFocus(isHidden: boolean): void {
  const kept = useRef<Element>(null)
  useLayoutEffect(() => {
    if (isHidden) kept.current = document.activeElement
    else if (kept.current instanceof HTMLElement) kept.current.focus()
  }, [isHidden])
}
