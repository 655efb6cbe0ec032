import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Scrolls to the part of a page that its address names, and stays there while more is loaded, until somebody moves on. */
export function useShownPart(id: string, isThere: boolean): void {
  const { hash } = useLocation()
  const isMeant = isThere && hash === id
  useEffect(() => {
    if (!isMeant) return undefined
    const loading = new ResizeObserver(() => {
      document.getElementById(id)?.scrollIntoView({ block: 'start' })
    })
    const stop = () => loading.disconnect()
    for (const move of MOVES) window.addEventListener(move, stop, { once: true, passive: true })
    loading.observe(document.body)
    return () => {
      stop()
      for (const move of MOVES) window.removeEventListener(move, stop)
    }
  }, [id, isMeant])
}
