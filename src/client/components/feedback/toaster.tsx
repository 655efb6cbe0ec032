import { CloseButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import { dismissToast, getToast, subscribeToToast, type Toast } from '../../lib/toast'
import { useSwipeRight } from '../../lib/use-swipe-right'

import classes from './toaster.module.css'

/**
 * Shows the current toast; F8 moves the focus to it. `@mantine/notifications` makes a second toast wait,
 * and dismisses one after 35 % of its width, to either side.
 */
export function Toaster() {
  const toast = useSyncExternalStore(subscribeToToast, getToast)
  const region = useRef<HTMLElement>(null)
  useHotkeys([['F8', () => region.current?.focus()]], [])
  return (
    <section ref={region} aria-label="Notifications (F8)" tabIndex={-1} className={classes.region}>
      {toast && <ToastCard key={toast.id} toast={toast} />}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const dismiss = () => dismissToast(toast.id)
  const [isHeld, setIsHeld] = useState(false)
  const swipe = useSwipeRight(dismiss)
  useDismissAfter(toast, isHeld || swipe.offsetPx > 0)
  const isDestructive = toast.kind === 'destructive'
  const Icon = isDestructive ? IconAlertCircle : IconCircleCheck
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its role is computed
    <div
      role={isDestructive ? 'alert' : 'status'}
      aria-atomic="true"
      className={classes.toast}
      data-kind={toast.kind}
      data-dragging={swipe.offsetPx > 0 || undefined}
      style={swipe.offsetPx > 0 ? { transform: `translateX(${swipe.offsetPx}px)` } : undefined}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
      {...swipe.handlers}
    >
      <Icon className={classes.icon} size={18} stroke={1.9} aria-hidden="true" />
      <div className={classes.texts}>
        <div className={classes.title}>{toast.title}</div>
        {toast.description && <div className={classes.description}>{toast.description}</div>}
      </div>
      <CloseButton
        size="sm"
        c="inherit"
        aria-label="Dismiss notification"
        className={classes.close}
        onClick={dismiss}
      />
    </div>
  )
}

/** Dismisses the toast after its duration, not counting time spent hovered, focused or dragged. */
function useDismissAfter(toast: Toast, isPaused: boolean) {
  const remainingMs = useRef(toast.durationMs)
  useEffect(() => {
    if (isPaused) return undefined
    const startedAt = Date.now()
    const timer = setTimeout(() => dismissToast(toast.id), remainingMs.current)
    return () => {
      clearTimeout(timer)
      remainingMs.current = Math.max(remainingMs.current - (Date.now() - startedAt), 1_000)
    }
  }, [toast.id, isPaused])
}
