import type { ReactNode } from 'react'

import classes from './stat-card.module.css'

interface StatCardProps {
  title: string
  icon: ReactNode
  value: ReactNode
  label: ReactNode
  /** A smaller figure, for rows of many cards. */
  isCompact?: boolean
  children?: ReactNode
}

/** One figure with its title above and a label below. */
export function StatCard({ title, icon, value, label, isCompact, children }: StatCardProps) {
  return (
    <section className={classes.card} data-compact={isCompact || undefined} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.icon} aria-hidden="true">
          {icon}
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
