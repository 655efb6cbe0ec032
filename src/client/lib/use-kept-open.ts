import { useState } from 'react'

/**
 * Whether a dialog is open. It opens when that is possible; what others change meanwhile does not
 * take it, and what was typed into it, away.
 */
export function useKeptOpen(isWanted: boolean, isPossible: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = isWanted && (isPossible || wasOpen)
  if (isOpen !== wasOpen) setWasOpen(isOpen)
  return isOpen
}
