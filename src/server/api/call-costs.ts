import { MAX_BATCH_COST } from '../../shared/constants'
import { decodeOrKeep } from '../../shared/percent-encoding'
import { DomainError } from '../domain/errors'
import { definitionOf, isProcedurePath } from './procedures'

/** The cost of calling a procedure; 1 by default, and for unknown procedures. */
export const costOf = (path: string): number =>
  (isProcedurePath(path) && definitionOf(path).meta?.cost) || 1

/**
 * The total cost of the calls in a request to `/trpc/{path}`.
 * @throws DomainError TOO_LARGE above the maximum cost of a batch
 */
export function costOfBatch(path: string): number {
  // tRPC decodes the path once more when it looks up procedures.
  const sum = decodeOrKeep(path)
    .split(',')
    .reduce((total, procedure) => total + costOf(procedure), 0)
  if (sum <= MAX_BATCH_COST) return sum
  throw new DomainError(
    'TOO_LARGE',
    'These are too many calls for one batch. Make them in several batches.',
  )
}
