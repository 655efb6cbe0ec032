import type { ReactNode } from 'react'

import { useStickyBar } from '../../lib/use-sticky-bar'

import classes from './dialog-actions.module.css'

/** The buttons of a dialog, at its bottom edge: they stay in view while its content scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div ref={useStickyBar('bottom')} className={classes.actions} data-dialog-actions>
      {children}
    </div>
  )
}
