import { useRef, useState, type PointerEvent } from 'react'

import { TOAST_SWIPE_THRESHOLD_PX } from '../../shared/constants'

/** Calls `onSwipe` after a swipe to the right beyond the threshold; a shorter one springs back. */
export function useSwipeRight(onSwipe: () => void) {
  const startX = useRef<number | null>(null)
  const [offsetPx, setOffsetPx] = useState(0)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const isOnButton = event.target instanceof Element && event.target.closest('button, a')
    if (event.button !== 0 || isOnButton) return
    startX.current = event.clientX
    event.currentTarget.setPointerCapture?.(event.pointerId)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (startX.current === null) return
    setOffsetPx(Math.max(0, event.clientX - startX.current))
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    if (startX.current === null) return
    const distance = event.clientX - startX.current
    startX.current = null
    setOffsetPx(0)
    if (distance > TOAST_SWIPE_THRESHOLD_PX) onSwipe()
  }

  function onPointerCancel() {
    startX.current = null
    setOffsetPx(0)
  }

  return { offsetPx, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } }
}
