import { useEffect, useRef } from 'react'

/** Focuses an element when it appears, for a step that replaces the one that had the focus. */
export function useFocusOnMount<Element extends HTMLElement>() {
  const ref = useRef<Element>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
