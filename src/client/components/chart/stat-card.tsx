import { Group, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './stat-card.module.css'

interface StatCardProps {
  title: string
  icon: Icon
  value: ReactNode
  label: ReactNode
  /** A smaller figure, for rows of many cards. */
  isCompact?: boolean
  children?: ReactNode
}

/** One figure with its title above and a label below. */
export function StatCard(props: StatCardProps) {
  const { title, icon: Glyph, value, label, isCompact, children } = props
  return (
    <section className={classes.card} data-compact={isCompact || undefined} aria-label={title}>
      <Group wrap="nowrap" justify="space-between" gap={0}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.icon} aria-hidden="true">
          <Glyph size={18} stroke={1.75} />
        </span>
      </Group>
      <div className={classes.value} data-figures>
        {value}
      </div>
      <Text component="div" mt={2} c="dimmed" fz="sm">
        {label}
      </Text>
      {children}
    </section>
  )
}
