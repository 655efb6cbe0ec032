import type { PasskeyAnswer } from '../../../../shared/schemas/passkey'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts, toKey, type Attempt } from '../../../domain/attempts'
import { deleteAttemptsOf } from '../../../domain/attempts.queries'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { purposeOf, type CallSource } from '../passkeys/call-source'
import { askPasskeys, isRightAnswer } from '../passkeys/check-passkey'
import { requirePasskeyPlace } from '../passkeys/passkey-place'
import { listPasskeyRows } from '../passkeys/passkeys.queries'
import { setConfirmed } from './confirmation'

/**
 * What a browser needs to have one of the caller's passkeys answer.
 * @throws DomainError INVALID without a passkey; NOT_CONFIGURED where browsers use none
 */
export async function prepareByPasskey(deps: Deps, actor: Actor, from: CallSource) {
  const place = requirePasskeyPlace(deps.config, from.calledAt)
  const passkeys = await listPasskeyRows(deps.db, selfOf(actor).id)
  const usable = passkeys.filter(({ host }) => host === place.host)
  if (usable.length === 0) throw new DomainError('INVALID', 'You have no passkey')
  return askPasskeys(deps, purposeOf('confirm', actor, from), { place, passkeys: usable })
}

/**
 * Confirms by a passkey who uses a session.
 * @throws DomainError INVALID for a wrong answer, and for a passkey of somebody else; THROTTLED after too many of them
 */
export async function confirmByPasskey(
  deps: Deps,
  actor: Actor,
  answer: PasskeyAnswer,
  from: CallSource,
): Promise<void> {
  const person = selfOf(actor)
  const attempt: Attempt = { limit: 'confirm', subject: person.id }
  const place = requirePasskeyPlace(deps.config, from.calledAt)
  await countAttempts(deps, [attempt])
  const passkeys = await listPasskeyRows(deps.db, person.id)
  const passkey = passkeys.find(({ credentialId }) => credentialId === answer.id)
  const asked = passkey && { passkey, person, purpose: purposeOf('confirm', actor, from), place }
  if (!asked || !(await isRightAnswer(deps, answer, asked))) {
    throw new DomainError('INVALID', 'This is not one of your passkeys')
  }
  await setConfirmed(deps, actor, from.sessionIdHash, (trx) =>
    deleteAttemptsOf(trx, toKey(attempt)),
  )
}
