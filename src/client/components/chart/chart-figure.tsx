import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './chart-figure.module.css'

interface ChartFigureProps {
  title: string
  /** Beside the title. */
  note: ReactNode
  children: ReactNode
}

/** A chart under its name. */
export const ChartFigure = ({ title, note, children }: ChartFigureProps) => (
  <figure className={classes.figure}>
    <figcaption className={classes.caption}>
      <Text span c="dimmed" fz="xs" fw={550}>
        {title}
      </Text>
      {note}
    </figcaption>
    {children}
  </figure>
)
