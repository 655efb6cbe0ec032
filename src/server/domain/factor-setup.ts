import type { Actor } from './actor'
import { DomainError } from './errors'

/** Whether the time is over in which the person can do without a second factor. */
export const isFactorOverdue = ({ factorDueAt }: Pick<Actor, 'factorDueAt'>, now: number) =>
  factorDueAt !== undefined && factorDueAt <= now

/** @throws DomainError FORBIDDEN with the reason `second_factor_setup_required` once that time is over */
export function requireFactorSetUp({ clock }: { clock: { now(): number } }, actor: Actor): void {
  if (!isFactorOverdue(actor, clock.now())) return
  const message = actor.key
    ? 'This key works again once its owner has turned on a second factor'
    : 'Turn on a second factor first: your administrator asks for one'
  throw new DomainError('FORBIDDEN', message, { reason: 'second_factor_setup_required' })
}
