import { inTransaction, type Db } from '../../../db/open'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findPerson, type Person } from '../../people/accounts/persons.queries'
import { recordUserAudit } from '../../people/audit/record-audit'
import { endDigest } from '../digests/digest-choice'
import { isUnsubscribeTokenOf, readUnsubscribeToken } from '../outbox/unsubscribe-token'
import { readAlertChoices } from './choices'
import { findMailAddress, putAlertChoice } from './choices.queries'

/**
 * Checks that a token is that of a mail to somebody's present address.
 * @throws DomainError NOT_FOUND otherwise
 */
export async function checkUnsubscribeToken(deps: Deps, token: string): Promise<void> {
  await loadRecipient(deps, deps.db, token)
}

/**
 * Ends all alerts by e-mail to the user whose mail the token comes from, who need not be signed in.
 * Those in the app go on.
 * @throws DomainError NOT_FOUND unless the token is that of a mail to the user's present address;
 *   THROTTLED
 */
export async function unsubscribe(deps: Deps, token: string): Promise<void> {
  const { id: userId } = await loadRecipient(deps, deps.db, token)
  await countAttempts(deps, [{ limit: 'unsubscribe', subject: userId }])
  await inTransaction(deps.db, async (trx) => {
    const user = await loadRecipient(deps, trx, token)
    const { choices } = await readAlertChoices({ db: trx, mail: deps.mail }, user)
    const way = 'mail'
    for (const { kind } of choices) {
      await putAlertChoice(trx, { userId, kind, way, isWanted: false })
    }
    const digest = await endDigest(trx, userId)
    const toState = (isWanted: (choice: (typeof choices)[number]) => boolean) =>
      Object.fromEntries(choices.map((choice) => [`${choice.kind} by mail`, isWanted(choice)]))
    await recordUserAudit(trx, deps, user, {
      action: 'user.unsubscribe',
      before: { ...toState((choice) => choice.isWanted.mail), ...(digest && { digest }) },
      after: { ...toState(() => false), ...(digest && { digest: null }) },
    })
  })
}

async function loadRecipient(deps: Deps, db: Db, token: string): Promise<Person> {
  const userId = readUnsubscribeToken(token)
  const user = userId === undefined ? undefined : await findPerson(db, userId)
  const address = user && (await findMailAddress(db, user.id))?.address
  if (user && address && isUnsubscribeTokenOf(deps, token, { userId: user.id, address })) {
    return user
  }
  throw new DomainError('NOT_FOUND', 'This link is not valid any more')
}
