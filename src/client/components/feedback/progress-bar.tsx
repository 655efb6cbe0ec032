import classes from './progress-bar.module.css'

interface ProgressBarProps {
  /** Accessible name: what is in progress. */
  label: string
  /** From 0 to 1; null when the total is unknown. */
  share: number | null
}

export function ProgressBar({ label, share }: ProgressBarProps) {
  const value = share === null ? undefined : Math.round(share * 100)
  return <progress className={classes.bar} aria-label={label} max={100} value={value} />
}
