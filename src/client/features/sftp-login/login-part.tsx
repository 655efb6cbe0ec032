import { Group } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import type { SftpLogin } from '../../../shared/schemas/sftp-login'
import type { SftpLoginCalls } from './use-sftp-login'

import classes from './sftp-login.module.css'

/** What each part of the panel is about. */
export interface LoginPartProps {
  /** Of the connection or the retailer. */
  id: number
  calls: SftpLoginCalls
  login: SftpLogin
  mayChange: boolean
}

interface SectionProps {
  title: string
  /** Buttons in its title line. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of the panel, under a title of its own. */
export function Section({ title, actions, children }: SectionProps) {
  const titleId = useId()
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h3 id={titleId} className={classes.title}>
          {title}
        </h3>
        {actions && <Group gap={8}>{actions}</Group>}
      </div>
      {children}
    </section>
  )
}
