import { MINUTE_MS } from '../../../../shared/durations'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { SealError } from '../../../secrets/secret-box'
import { requireActor } from '../accounts/accounts'
import { recordFailedSignIn } from '../accounts/failed-sign-ins'
import { findPerson } from '../accounts/persons.queries'
import { isRightCode } from './check-code'
import { findSecondFactor } from './second-factors.queries'

/** How long after the password a code may be sent without it. */
const TICKET_MS = 5 * MINUTE_MS
const TICKET_PLACE = 'sign-in that lacks a code'

/** The refusal of a sign-in whose password was right. */
export class SecondFactorRequired extends DomainError {
  readonly actor: Actor

  constructor(actor: Actor, message: string, field?: string) {
    super('UNAUTHENTICATED', message, {
      reason: 'second_factor_required',
      ...(field !== undefined && { field }),
    })
    this.actor = actor
  }
}

/**
 * Checks the code of somebody whose password was right; does nothing for a person without a second factor.
 * @throws SecondFactorRequired without a code, and for a wrong or used one; DomainError THROTTLED
 */
export async function requireSecondFactor(
  deps: Deps,
  actor: Actor,
  code: string | undefined,
  address: string,
): Promise<void> {
  const self = selfOf(actor)
  if (!(await findSecondFactor(deps.db, self.id))) return
  if (!code) throw new SecondFactorRequired(actor, 'Enter the code of your authenticator app')
  if (await isRightCode(deps, self, code, address)) return
  await recordFailedSignIn(deps, self, address)
  throw new SecondFactorRequired(actor, 'This code is wrong, or was used already', 'code')
}

/** Stands for a right password, for the form of a page that has no script to keep it. */
export function sealTicket({ secrets, clock }: Pick<Deps, 'secrets' | 'clock'>, actor: Actor) {
  const { id, sessionEpoch } = selfOf(actor)
  return secrets.seal([id, sessionEpoch, clock.now() + TICKET_MS].join(' '), TICKET_PLACE)
}

/**
 * Returns who may sign in by a ticket and a code.
 * @throws SecondFactorRequired as `requireSecondFactor`; DomainError UNAUTHENTICATED for a ticket that is no more
 *   valid; THROTTLED
 */
export async function finishSignIn(
  deps: Deps,
  { ticket, code }: { ticket: string; code: string },
  address: string,
): Promise<Actor> {
  const [id = 0, sessionEpoch = 0, endsAt = 0] = openTicket(deps, ticket)
  const person = endsAt > deps.clock.now() ? await findPerson(deps.db, id) : undefined
  if (!person?.isActive) throw ticketEnded()
  const actor = await requireActor(deps, { id, sessionEpoch })
  await requireSecondFactor(deps, actor, code, address)
  return actor
}

function openTicket({ secrets }: Pick<Deps, 'secrets'>, ticket: string): number[] {
  try {
    return secrets.open(ticket, TICKET_PLACE).split(' ').map(Number)
  } catch (error) {
    if (error instanceof SealError) throw ticketEnded()
    throw error
  }
}

const ticketEnded = () =>
  new DomainError('UNAUTHENTICATED', 'This took too long. Enter your password again.')
