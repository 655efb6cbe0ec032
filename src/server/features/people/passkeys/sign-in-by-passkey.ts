import type { PasskeySignInInput } from '../../../../shared/schemas/passkey'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { requireActor, usernameKey } from '../accounts/accounts'
import { recordFailedSignIn } from '../accounts/failed-sign-ins'
import { createLoginAttempt, isAddressKnown } from '../accounts/login-attempts'
import { findPerson } from '../accounts/persons.queries'
import { askPasskeys, isRightAnswer, wrongPasskey } from './check-passkey'
import { requirePasskeyPlace } from './passkey-place'
import { findPasskey } from './passkeys.queries'

const PURPOSE = { kind: 'sign-in' } as const

/**
 * What a browser needs to sign somebody in, who is not known yet: it offers all passkeys that it has for this product.
 * @throws DomainError NOT_CONFIGURED where browsers use none
 */
export async function prepareSignIn(deps: Deps, calledAt: string) {
  return askPasskeys(deps, PURPOSE, { place: requirePasskeyPlace(deps.config, calledAt) })
}

/**
 * Returns who may sign in by the answer of a passkey. Its device has checked who is there, so no code is asked for.
 * Answers are counted as sign-ins are: nobody is kept out by the wrong ones of others.
 * @throws DomainError UNAUTHENTICATED with the same text for every wrong answer, and for a passkey of somebody else than
 *   whose password was typed; INVALID for a challenge that is over or was answered; THROTTLED
 */
export async function signInByPasskey(
  deps: Deps,
  { answer, username }: PasskeySignInInput,
  from: { address: string; calledAt: string },
): Promise<Actor> {
  const place = requirePasskeyPlace(deps.config, from.calledAt)
  const passkey = await findPasskey(deps.db, answer.id)
  const person = passkey && (await findPerson(deps.db, passkey.userId))
  const { address } = from
  const userId = person?.id ?? 0
  const isKnownAddress = await isAddressKnown(deps, userId, address)
  const tries = { usernameKey: `passkey ${answer.id}`, userId, address, isKnownAddress }
  const attempt = createLoginAttempt(deps, tries)
  await attempt.count()
  const asked = passkey && person && { passkey, person, purpose: PURPOSE, place }
  if (!asked || !(await isRightAnswer(deps, answer, asked)) || !person.isActive) {
    await recordFailedSignIn(deps, person, address)
    throw wrongPasskey()
  }
  if (username !== undefined && usernameKey(username) !== usernameKey(person.username)) {
    throw wrongPasskey('This is the passkey of another account. Go back to sign in with it.')
  }
  await attempt.succeed()
  return requireActor(deps, person)
}
