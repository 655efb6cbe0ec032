import { useBlocker } from '@tanstack/react-router'

import { DiscardDialog } from '../dialog/discard-dialog'

/** Asks before a page is left whose changes are not saved. */
export function LeaveQuestion({ hasChanges }: { hasChanges: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: isOtherPage,
    enableBeforeUnload: true,
    disabled: !hasChanges,
    withResolver: true,
  })
  return (
    <DiscardDialog
      isOpen={leaving.status === 'blocked'}
      onKeep={() => leaving.reset?.()}
      onDiscard={() => leaving.proceed?.()}
    />
  )
}

interface Step {
  current: { pathname: string }
  next: { pathname: string }
}

/** A search or a page number in the address changes nothing of the form. */
function isOtherPage({ current, next }: Step): boolean {
  return current.pathname !== next.pathname
}
