import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './full-page-message.module.css'

interface FullPageMessageProps {
  /** Icon above the title. */
  emblem?: ReactNode
  title: string
  children: ReactNode
  actions: ReactNode
}

/** A page that consists of one message and its actions. */
export function FullPageMessage({ emblem, title, children, actions }: FullPageMessageProps) {
  return (
    <div className={classes.page}>
      {emblem && (
        <div className={classes.emblem} aria-hidden="true">
          {emblem}
        </div>
      )}
      <Title order={1}>{title}</Title>
      <div className={classes.text}>{children}</div>
      <div className={classes.actions}>{actions}</div>
    </div>
  )
}
