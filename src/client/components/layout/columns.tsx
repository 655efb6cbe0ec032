import type { ReactNode } from 'react'

import classes from './columns.module.css'

/** Panels side by side on wide screens, one below the other on narrow ones. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}
