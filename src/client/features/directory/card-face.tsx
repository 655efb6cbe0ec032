import type { ReactNode } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { DirectoryCard } from '../../../shared/schemas/directory'

import classes from './card-face.module.css'

interface CardFaceProps {
  card: Pick<DirectoryCard, 'name' | 'description' | 'categories' | 'logo' | 'freshness'>
  /** What it is to whoever looks, and what can be done. */
  children?: ReactNode
}

/** A supplier's card, as retailers see it. */
export function CardFace({ card, children }: CardFaceProps) {
  const { name, description, categories, logo } = card
  return (
    <article className={classes.card} aria-label={name}>
      <header className={classes.head}>
        {logo ? (
          <img className={classes.logo} src={logo} alt="" width={48} height={48} />
        ) : (
          <span className={classes.logo} aria-hidden="true">
            {Array.from(name.trim())[0]?.toUpperCase()}
          </span>
        )}
        <div className={classes.names}>
          <h2 className={classes.name} dir="auto">
            {name}
          </h2>
          <p className={classes.freshness}>{describeFreshness(card.freshness)}</p>
        </div>
      </header>
      {description && (
        <p className={classes.text} dir="auto">
          {description}
        </p>
      )}
      {categories.length > 0 && (
        <ul className={classes.categories} aria-label="Categories">
          {categories.map((category) => (
            <li key={category} dir="auto">
              {category}
            </li>
          ))}
        </ul>
      )}
      {children && <footer className={classes.foot}>{children}</footer>}
    </article>
  )
}

/** `Read on 88 of the last 90 days, 99 % of all syncs`. */
function describeFreshness(freshness: DirectoryCard['freshness']): string {
  if (!freshness || freshness.days === 0) return 'How fresh its data are is not known yet'
  const { days, freshDays, goodShare } = freshness
  return `Data read on ${freshDays} of the last ${formatCountOf(days, 'day')}, ${goodShare} % of all syncs good`
}
