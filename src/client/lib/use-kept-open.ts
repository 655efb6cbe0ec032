import { useState } from 'react'

/**
 * Whether a dialog is open. It opens only if `isPossible`, but stays open when that later becomes
 * false, so that somebody else's change does not discard what was typed into it.
 */
export function useKeptOpen(isWanted: boolean, isPossible: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = isWanted && (isPossible || wasOpen)
  if (isOpen !== wasOpen) setWasOpen(isOpen)
  return isOpen
}
