import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { COSEALG, decodeClientDataJSON } from '@simplewebauthn/server/helpers'

import { PASSKEY_TRANSPORTS } from '../../../../shared/passkeys'
import type { MadePasskey } from '../../../../shared/schemas/passkey'
import type { PasskeyRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { UserRecord } from '../accounts/users.queries'
import { CHALLENGE_MS, makeChallenge, readChallenge, type ChallengePurpose } from './challenges'
import { toCredential, toUserHandle } from './credentials'
import type { PasskeyPlace } from './passkey-place'

/** What every version of the runtime can check. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

/** What a browser needs to make a passkey that the person does not have yet. */
export async function toPasskeySetup(
  deps: Deps,
  person: UserRecord,
  {
    purpose,
    place,
    known,
  }: { purpose: ChallengePurpose; place: PasskeyPlace; known: PasskeyRow[] },
) {
  return generateRegistrationOptions({
    rpName: deps.config.appName,
    rpID: place.host,
    userName: person.username,
    userDisplayName: person.displayName ?? person.username,
    userID: new Uint8Array(Buffer.from(toUserHandle(person), 'base64url')),
    challenge: makeChallenge(deps, purpose),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(toCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * What is stored of a new passkey.
 * @throws DomainError INVALID when it is not what was asked for, or that is over
 */
export async function readMadePasskey(
  deps: Deps,
  made: MadePasskey,
  { purpose, place }: { purpose: ChallengePurpose; place: PasskeyPlace },
) {
  const challenge = readSentChallenge(made)
  readChallenge(deps, purpose, challenge)
  const { credential } = await verify(made, challenge, place)
  const sent = made.response.transports ?? []
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    host: place.host,
    transports: PASSKEY_TRANSPORTS.filter((transport) => sent.includes(transport)),
    useCount: credential.counter,
    challengesTakenUntil: 0,
  }
}

function readSentChallenge({ response }: MadePasskey): string {
  try {
    return decodeClientDataJSON(response.clientDataJSON).challenge
  } catch (cause) {
    throw notMade(cause)
  }
}

async function verify(
  response: MadePasskey,
  expectedChallenge: string,
  { origin, host }: PasskeyPlace,
) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (verified) return registrationInfo
  } catch (cause) {
    throw notMade(cause)
  }
  throw notMade()
}

const notMade = (cause?: unknown) =>
  new DomainError('INVALID', 'This passkey cannot be used here', { cause })
