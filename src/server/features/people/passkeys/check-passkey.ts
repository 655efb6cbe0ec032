import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'

import type { PasskeyAnswer } from '../../../../shared/schemas/passkey'
import { inTransaction } from '../../../db/open'
import type { PasskeyRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { UserRecord } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'
import {
  CHALLENGE_MS,
  challengeEnded,
  latestChallenge,
  makeChallenge,
  readChallenge,
  type ChallengePurpose,
} from './challenges'
import { toCredential, toUserHandle } from './credentials'
import type { PasskeyPlace } from './passkey-place'
import { findPasskey, takeAnswerOf } from './passkeys.queries'

/** What a browser needs to have a passkey answer: any that it has for this product, unless some are named. */
export const askPasskeys = (
  deps: Deps,
  purpose: ChallengePurpose,
  { place, passkeys = [] }: { place: PasskeyPlace; passkeys?: PasskeyRow[] },
) =>
  generateAuthenticationOptions({
    rpID: place.host,
    challenge: makeChallenge(deps, purpose),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(toCredential),
  })

/** A passkey that has answered, its person, and for what and where it was asked. */
type Answered = {
  passkey: PasskeyRow
  person: UserRecord
  purpose: ChallengePurpose
  place: PasskeyPlace
}

/**
 * Whether a passkey has answered a challenge, which is then answered for good. One that has counted back was copied:
 * it is refused, and its person is told.
 * @throws DomainError INVALID for a challenge that is over, was answered, or was made for something else
 */
export async function isRightAnswer(
  deps: Deps,
  answer: PasskeyAnswer,
  { passkey, person, purpose, place }: Answered,
): Promise<boolean> {
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== toUserHandle(person)) return false
  const challenge = readSentChallenge(answer)
  if (challenge === undefined) return false
  const challengedAt = readChallenge(deps, purpose, challenge)
  const useCount = await readUseCount(answer, { passkey, place, challenge })
  if (useCount === undefined) return false
  const now = deps.clock.now()
  const taken = { challengedAt, latest: latestChallenge(now), useCount, usedAt: now }
  if (await inTransaction(deps.db, (trx) => takeAnswerOf(trx, passkey.id, taken))) return true
  const current = await findPasskey(deps.db, passkey.credentialId)
  if (!current) return false
  // The same answer again has the same count.
  if (challengedAt <= current.challengesTakenUntil) throw challengeEnded()
  await tellOfCopy(deps, person, passkey)
  return false
}

function readSentChallenge({ response }: PasskeyAnswer): string | undefined {
  try {
    return decodeClientDataJSON(response.clientDataJSON).challenge
  } catch {
    return undefined
  }
}

/** How often the passkey says to have been used; undefined when the answer is not its, or not what was asked for. */
async function readUseCount(
  answer: PasskeyAnswer,
  {
    passkey,
    place,
    challenge,
  }: Pick<Answered, 'passkey' | 'place'> & {
    challenge: string
  },
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // Compared where the answer is taken, in one statement.
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

async function tellOfCopy(deps: Deps, person: UserRecord, { name }: PasskeyRow): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const after = { passkey: name }
    await recordUserAudit(trx, deps, person, { action: 'user.refuse-passkey', actor: null, after })
    await deps.tellPerson(trx, deps, person, {
      kind: 'account.passkey-refused',
      details: { keyNames: [name] },
    })
  })
}

/** The one refusal of every wrong answer. */
export const wrongPasskey = (message = 'This passkey does not sign in here') =>
  new DomainError('UNAUTHENTICATED', message)
