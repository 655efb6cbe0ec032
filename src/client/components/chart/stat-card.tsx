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
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.icon} aria-hidden="true">
          <Glyph size={18} stroke={1.75} />
        </span>
      </div>
      <div className={classes.value} data-figures>
        {value}
      </div>
      <div className={classes.label}>{label}</div>
      {children}
    </section>
  )
}
