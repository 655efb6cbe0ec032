import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './full-page-message.module.css'

interface FullPageMessageProps {
  /** A short text or an icon above the title, such as an error's number. */
  emblem?: ReactNode
  title: string
  children: ReactNode
  actions: ReactNode
}

/** A page that only says one thing and shows the way on. */
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
