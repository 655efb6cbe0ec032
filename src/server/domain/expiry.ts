import { DAY_MS } from '../../shared/durations'
import { DomainError } from './errors'

const MAX_DAYS = 3_650

/** Reads when something is to expire; null for never. @throws DomainError INVALID for a time that is over, or too far away */
export function readExpiry(
  text: string | null | undefined,
  now: number,
  field: string,
): number | null {
  if (text === null || text === undefined) return null
  const at = Date.parse(text)
  if (at > now && at <= now + MAX_DAYS * DAY_MS) return at
  throw new DomainError('INVALID', 'The end must be later than now, and within ten years', {
    field,
  })
}
