import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './row-problem.module.css'

interface RowProblemProps {
  title: string
  children: ReactNode
  /** A button that ends the problem. */
  action?: ReactNode
}

/** What is wrong with the subject of a row, under that row. */
export function RowProblem({ title, children, action }: RowProblemProps) {
  return (
    <div className={classes.problem}>
      <IconAlertTriangle size={16} stroke={1.9} aria-hidden="true" />
      <span className={classes.text}>
        <span className={classes.title}>{title}</span> {children}
      </span>
      {action}
    </div>
  )
}
