import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './call-detail.module.css'

/** A part of the details of a call or an event. */
export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <Title order={4} className={classes.title}>
        {title}
      </Title>
      {children}
    </section>
  )
}
