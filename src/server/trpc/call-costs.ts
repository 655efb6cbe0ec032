import { MAX_BATCH_COST } from '../../shared/constants'
import { DomainError } from '../domain/errors'
import type { CallMeta } from './init'
import { appRouter } from './router'

type Definition = { _def: { meta?: CallMeta } }

const procedures = appRouter._def.procedures as unknown as Record<string, Definition>

const costs: ReadonlyMap<string, number> = new Map(
  Object.entries(procedures).map(([path, { _def }]) => [path, _def.meta?.cost ?? 1]),
)

/** What a call of a procedure counts for; one that is not there costs as little as it does. */
export const costOf = (procedure: string): number => costs.get(procedure) ?? 1

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
