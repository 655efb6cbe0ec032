import { MAX_BATCH_COST } from '../../shared/constants'
import { DomainError } from '../domain/errors'
import { definitionOf, isProcedurePath } from './procedures'

/** What a call of a procedure counts for; one that is not there costs as little as it does. */
export const costOf = (path: string): number =>
  (isProcedurePath(path) && definitionOf(path).meta?.cost) || 1

/**
 * What the calls of a request to `/trpc/{path}` cost together.
 * @throws DomainError TOO_LARGE when that is more than one batch may cost
 */
export function costOfBatch(path: string): number {
  const sum = decode(path)
    .split(',')
    .reduce((total, procedure) => total + costOf(procedure), 0)
  if (sum <= MAX_BATCH_COST) return sum
  throw new DomainError(
    'TOO_LARGE',
    'These are too many calls for one batch. Make them in several batches.',
  )
}

/** The path is decoded once more when its procedures are looked up. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
