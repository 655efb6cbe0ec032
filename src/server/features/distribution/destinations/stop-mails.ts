import { inTransaction, type Db } from '../../../db/open'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findPerson } from '../../people/accounts/persons.queries'
import { findMailDestination, listMailPeople } from './destinations.queries'
import { dropRecipient } from './drop-recipient'
import { findSentFile } from './sent-file'
import { isStopTokenOf, readStopToken } from './stop-token'

/** Whether a token is one that ends files by mail, and not alerts. */
export const isStopToken = (token: string): boolean => readStopToken(token) !== undefined

/**
 * Checks that a token is that of a mail to somebody's present address.
 * @throws DomainError NOT_FOUND otherwise
 */
export async function checkStopToken(deps: Deps, token: string): Promise<void> {
  await loadRecipient(deps, deps.db, token)
}

/**
 * Ends the files of one destination by mail to whom the mail of the token went, who need not be signed in. Done again, it
 * changes nothing.
 * @throws DomainError NOT_FOUND unless the token is that of a mail to the present address; THROTTLED
 */
export async function stopMails(deps: Deps, token: string): Promise<void> {
  const { userId } = await loadRecipient(deps, deps.db, token)
  await countAttempts(deps, [{ limit: 'unsubscribe', subject: userId }])
  await inTransaction(deps.db, async (trx) => {
    const { destination, of } = await loadRecipient(deps, trx, token)
    if (!destination.recipients.includes(userId)) return
    const actor = (await findPerson(trx, userId)) ?? null
    const verb = 'unsubscribe'
    await dropRecipient(trx, deps, { of, destination, userId, verb, actor })
  })
}

async function loadRecipient(deps: Deps, db: Db, token: string) {
  const named = readStopToken(token)
  const destination = named && (await findMailDestination(db, named.destinationId))
  const of = destination && (await findSentFile(db, destination))
  const people = of ? await listMailPeople(db, of.userId) : []
  const address = people.find(({ id }) => id === named?.userId)?.address
  if (named && destination && of && address) {
    if (isStopTokenOf(deps, token, { ...named, address })) {
      return { userId: named.userId, destination, of }
    }
  }
  throw new DomainError('NOT_FOUND', 'This link is not valid any more')
}
