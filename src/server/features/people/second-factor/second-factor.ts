import { HOUR_MS } from '../../../../shared/durations'
import type {
  OwnSecondFactor,
  SecondFactorSetup,
  TurnOnSecondFactorInput,
} from '../../../../shared/schemas/second-factor'
import { inTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstantOrNull } from '../../../domain/instant'
import { SealError } from '../../../secrets/secret-box'
import { requireActor } from '../accounts/accounts'
import { knownRequester } from '../accounts/passwords'
import { findPerson } from '../accounts/persons.queries'
import { endUserSessions, findSession } from '../accounts/sessions.queries'
import { findPasswordHash, type UserRecord } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'
import { isFactorRequired } from '../sign-in-rules/factor-due'
import { isRightCode } from './check-code'
import { bareCode, createRecoveryCodes, hashRecoveryCode } from './recovery-codes'
import { sealKey } from './seal-keys'
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from './second-factors.queries'
import { createTotpKey, findCodeEnd, toTotpUri } from './totp'

const SETUP_MS = HOUR_MS

/** Where a request comes from. */
type From = { sessionIdHash: string; address: string }
type Proof = { password: string; code: string }

/** The caller's own second factor. */
export async function getSecondFactor(deps: Deps, actor: Actor): Promise<OwnSecondFactor> {
  const { id } = selfOf(actor)
  const factor = await findSecondFactor(deps.db, id)
  return {
    since: toInstantOrNull(factor?.createdAt ?? null),
    recoveryCodesLeft: await countRecoveryCodes(deps.db, id),
    hasPassword: (await findPasswordHash(deps.db, id)) !== null,
    isRequired: await isFactorRequired(deps.db, selfOf(actor)),
  }
}

/** A new key for the caller's app, which is stored only when it is turned on. */
export function prepareSecondFactor(deps: Deps, actor: Actor): SecondFactorSetup {
  const self = selfOf(actor)
  const key = createTotpKey()
  const endsAt = deps.clock.now() + SETUP_MS
  return {
    key,
    uri: toTotpUri(deps.config.appName, self.username, key),
    setup: deps.secrets.seal(`${endsAt} ${key}`, setupPlace(self)),
  }
}

const setupPlace = ({ id }: UserRecord) => `second factor that user ${id} sets up`

/**
 * Turns the caller's second factor on, or replaces it by another app. All of the caller's sessions end; the transport then signs the caller in
 * again.
 * @returns the recovery codes, which must be shown once
 * @throws DomainError INVALID for a wrong password or code; CONFLICT when one is on and no code of it is given; THROTTLED
 */
export async function turnOnSecondFactor(
  deps: Deps,
  actor: Actor,
  { setup, code, password, oldCode }: TurnOnSecondFactorInput,
  from: From,
): Promise<{ actor: Actor; recoveryCodes: string[] }> {
  const self = selfOf(actor)
  await requirePassword(deps, self, password, from.address)
  const now = deps.clock.now()
  const key = openSetup(deps, self, setup)
  const codesTakenUntil = findCodeEnd(key, bareCode(code), now)
  if (codesTakenUntil === undefined)
    throw wrongCode('This code is wrong. Is the clock of your phone right?')
  if (oldCode !== undefined && !(await isRightCode(deps, self, oldCode, from.address))) {
    throw wrongCode(USED, 'oldCode')
  }
  const recoveryCodes = createRecoveryCodes()
  const changed = await inTransaction(deps.db, async (trx) => {
    if (!(await findSession(trx, from.sessionIdHash, deps.clock.now()))) {
      throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    }
    if (oldCode === undefined && (await findSecondFactor(trx, self.id))) {
      throw new DomainError(
        'CONFLICT',
        'A second factor is on already. Replace it, or turn it off.',
      )
    }
    const isReplaced = await deleteSecondFactor(trx, self.id)
    await endUserSessions(trx, self.id)
    const sealedKey = sealKey(deps.secrets, self.id, key)
    await insertSecondFactor(trx, { userId: self.id, sealedKey, codesTakenUntil, createdAt: now })
    await replaceRecoveryCodes(trx, self.id, recoveryCodes.map(hashRecoveryCode))
    const action = isReplaced ? 'user.replace-second-factor' : 'user.turn-on-second-factor'
    await recordUserAudit(trx, deps, self, { action })
    const kind = isReplaced ? 'account.second-factor-replaced' : 'account.second-factor-on'
    await deps.tellPerson(trx, deps, self, { kind })
    return findPerson(trx, self.id)
  })
  return { actor: await requireActor(deps, changed ?? self), recoveryCodes }
}

/**
 * Turns the caller's second factor off.
 * @throws DomainError INVALID for a wrong password or code; CONFLICT while it is required; THROTTLED
 */
export async function turnOffSecondFactor(
  deps: Deps,
  actor: Actor,
  proof: Proof,
  address: string,
): Promise<void> {
  const self = selfOf(actor)
  await requireProof(deps, self, proof, address)
  await inTransaction(deps.db, async (trx) => {
    if (await isFactorRequired(trx, self)) {
      throw new DomainError('CONFLICT', 'Your administrator asks for it. You can replace it.')
    }
    if (!(await deleteSecondFactor(trx, self.id))) return
    await recordUserAudit(trx, deps, self, { action: 'user.turn-off-second-factor' })
    await deps.tellPerson(trx, deps, self, { kind: 'account.second-factor-off' })
  })
}

/**
 * Replaces the caller's recovery codes.
 * @returns the new ones, which must be shown once
 * @throws DomainError INVALID for a wrong password or code; THROTTLED
 */
export async function renewRecoveryCodes(
  deps: Deps,
  actor: Actor,
  proof: Proof,
  address: string,
): Promise<string[]> {
  const self = selfOf(actor)
  await requireProof(deps, self, proof, address)
  const recoveryCodes = createRecoveryCodes()
  await inTransaction(deps.db, async (trx) => {
    if (!(await findSecondFactor(trx, self.id))) throw wrongCode()
    await replaceRecoveryCodes(trx, self.id, recoveryCodes.map(hashRecoveryCode))
    await recordUserAudit(trx, deps, self, { action: 'user.make-recovery-codes' })
    await deps.tellPerson(trx, deps, self, { kind: 'account.recovery-codes-made' })
  })
  return recoveryCodes
}

async function requireProof(
  deps: Deps,
  self: UserRecord,
  { password, code }: Proof,
  address: string,
): Promise<void> {
  await requirePassword(deps, self, password, address)
  if (!(await isRightCode(deps, self, code, address))) throw wrongCode()
}

/** @throws DomainError INVALID for a wrong password; CONFLICT without one; THROTTLED */
async function requirePassword(
  deps: Deps,
  self: UserRecord,
  password: string,
  address: string,
): Promise<void> {
  const hash = await findPasswordHash(deps.db, self.id)
  if (hash === null) {
    throw new DomainError(
      'CONFLICT',
      'You sign in with Google, which asks for a second factor itself',
    )
  }
  const count = () => countAttempts(deps, [{ limit: 'secondFactor', subject: self.id }])
  if (await deps.passwords.verify(knownRequester(self, address), hash, password, count)) return
  throw new DomainError('INVALID', 'This is not your password', { field: 'password' })
}

function openSetup({ secrets, clock }: Deps, self: UserRecord, setup: string): string {
  try {
    const [endsAt = '', key = ''] = secrets.open(setup, setupPlace(self)).split(' ')
    if (Number(endsAt) > clock.now()) return key
  } catch (error) {
    if (!(error instanceof SealError)) throw error
  }
  throw new DomainError('INVALID', 'This took too long. Begin again with a new key.')
}

const USED = 'This code is wrong, or was used already'

const wrongCode = (message = USED, field = 'code') => new DomainError('INVALID', message, { field })
