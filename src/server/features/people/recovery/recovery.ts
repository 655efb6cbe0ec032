import { HOUR_MS } from '../../../../shared/durations'
import type { PasswordLinkInput } from '../../../../shared/schemas/recovery'
import { inTransaction, type Db } from '../../../db/open'
import { countAttempts, countIfWithin } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { openSecretLink } from '../../../domain/open-secret-link'
import { hashSecretToken } from '../../../domain/secret-token'
import { usernameKey } from '../accounts/accounts'
import { isAddressKnown } from '../accounts/login-attempts'
import { hashNewPassword } from '../accounts/new-password'
import { anonymousRequester } from '../accounts/passwords'
import {
  findCompanyOf,
  findPerson,
  markPasswordOwn,
  updatePerson,
  type Person,
} from '../accounts/persons.queries'
import { endUserSessions } from '../accounts/sessions.queries'
import { recordUserAudit } from '../audit/record-audit'
import { findPersonOfLink, findRecoverablePerson } from './account-mails.queries'
import { queuePasswordLink } from './password-links'
import { queueAccountMails } from './send-account-mails'

/** How long a link for a new password works after it was asked for. */
export const PASSWORD_LINK_MS = HOUR_MS

/** The one answer to every link that does not work. */
const invalidLink = () =>
  new DomainError(
    'NOT_FOUND',
    'This link was used already, or is older than an hour. Ask for a new one.',
  )

/**
 * Asks for a mail with a link by which a person who has confirmed an address sets a new password. For everybody
 * else the same is done, and nothing is sent: neither the answer nor its time tells whether there is an account, and
 * only the limit by client is answered. Beyond those of the account and in all nothing is sent, unless it is asked for
 * from where the person has signed in before.
 * @param client the client's address as rate limits count it
 * @throws DomainError UNAVAILABLE where no mail is sent; THROTTLED
 */
export async function requestPasswordLink(
  deps: Deps,
  { login }: PasswordLinkInput,
  client: string,
): Promise<void> {
  if (!deps.mail) throw new DomainError('UNAVAILABLE', 'This installation sends no e-mail')
  await countAttempts(deps, [{ limit: 'recoverFromClient', subject: client }])
  const key = usernameKey(login)
  const userId = await findRecoverablePerson(deps.db, { usernameKey: key, address: login })
  const isWithin = await countIfWithin(deps, [
    { limit: 'recoverAccount', subject: userId ?? key },
    { limit: 'recoverAny', subject: 'all' },
  ])
  // Nobody keeps a person from it by asking too often elsewhere.
  const isSent = (await isAddressKnown(deps, userId ?? 0, client)) || isWithin
  await queuePasswordLink(deps, isSent ? userId : null)
}

/** Finds for whose password a link is that works at `now`. */
async function findByToken(db: Db, token: string, now: number): Promise<Person | undefined> {
  const id = await findPersonOfLink(db, hashSecretToken(token), now - PASSWORD_LINK_MS)
  const person = id === undefined ? undefined : await findPerson(db, id)
  return person?.isActive ? person : undefined
}

const findByLink = (deps: Deps, token: string, address: string): Promise<Person> =>
  openSecretLink(deps, address, invalidLink, () => findByToken(deps.db, token, deps.clock.now()))

/** Returns what is seen by the link of a mail, which is not used up by it. */
export async function openPasswordLink(deps: Deps, token: string, address: string) {
  const { username } = await findByLink(deps, token, address)
  return { username }
}

/**
 * Sets the password of the person who has got the link by mail, which ends all sessions and links of that
 * person, and is told by mail.
 * @param address the caller's IP address
 * @throws DomainError NOT_FOUND for a link that was used, replaced, or is older than an hour; THROTTLED
 */
export async function setPasswordByLink(
  deps: Deps,
  { token, newPassword }: { token: string; newPassword: string },
  address: string,
): Promise<{ username: string }> {
  const owner = await findByLink(deps, token, address)
  const company = await findCompanyOf(deps.db, owner)
  const passwordHash = await hashNewPassword(deps, anonymousRequester(address), {
    password: newPassword,
    field: 'newPassword',
    names: [owner.username, company?.companyName],
  })
  const username = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    // Somebody else may have used it meanwhile.
    const person = await findByToken(trx, token, now)
    if (!person) throw invalidLink()
    await endUserSessions(trx, person.id)
    await markPasswordOwn(trx, person.id, now)
    await updatePerson(trx, person.id, { passwordHash })
    await deps.tellPerson(trx, deps, person, { kind: 'account.password-changed' })
    await recordUserAudit(trx, deps, person, { action: 'user.recover-password', actor: person })
    return person.username
  })
  await queueAccountMails(deps)
  return { username }
}
