import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './shop-state.module.css'

/** Something to know beside the state of a shop. */
export const Note = ({ children }: { children: ReactNode }) => (
  <p className={classes.note}>
    <IconInfoCircle size={17} stroke={1.75} aria-hidden="true" />
    <span>{children}</span>
  </p>
)
