import { inTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { recordUserAudit } from '../audit/record-audit'
import { loadPersonOf, type PersonInput } from '../company-people/company-people'
import { deleteSecondFactor } from './second-factors.queries'

/**
 * Turns off the second factor of somebody who has lost it: an owner that of others of the company, an administrator
 * that of the people of any company.
 * @throws DomainError NOT_FOUND for a person of another company; CONFLICT for the own one, and without one
 */
export async function turnOffForPerson(
  deps: Deps,
  actor: Actor,
  input: PersonInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { person } = await loadPersonOf(trx, actor, input)
    if (person.id === selfOf(actor).id) {
      throw new DomainError('CONFLICT', 'Turn off your own second factor in your settings')
    }
    if (!(await deleteSecondFactor(trx, person.id))) {
      throw new DomainError('CONFLICT', 'This person has no second factor')
    }
    await recordUserAudit(trx, deps, person, { action: 'person.turn-off-second-factor' })
    await deps.tellPerson(trx, deps, person, { kind: 'account.second-factor-off' })
  })
}
