import { inTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { endFactorsOf } from '../accounts/end-factors'
import { loadPersonOf, type PersonInput } from '../company-people/company-people'

const ENDED = {
  factor: 'person.turn-off-second-factor',
  passkeys: 'person.remove-passkeys',
} as const

/**
 * Turns off the second factor of somebody who has lost it, and removes the passkeys: an owner that of others of the company, an administrator
 * that of the people of any company.
 * @throws DomainError NOT_FOUND for a person of another company; CONFLICT for the own one, and without either
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
    if (await endFactorsOf(trx, deps, person, ENDED)) return
    throw new DomainError('CONFLICT', 'This person has neither a second factor nor a passkey')
  })
}
