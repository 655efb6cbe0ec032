import { DAY_MS } from '../../shared/durations'

/** In how many days something may be chosen to end. */
export const END_OPTIONS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** The instant in so many days. */
export const endAfter = (days: string): string =>
  new Date(Date.now() + Number(days) * DAY_MS).toISOString()
