import classes from './progress-bar.module.css'

interface ProgressBarProps {
  /** What is under way. */
  label: string
  /** From 0 to 1; null while nobody knows how much there is. */
  share: number | null
}

export function ProgressBar({ label, share }: ProgressBarProps) {
  const value = share === null ? undefined : Math.round(share * 100)
  return <progress className={classes.bar} aria-label={label} max={100} value={value} />
}
