import { MAX_PASSKEYS_PER_PERSON } from '../../../../shared/passkeys'
import type { AddPasskeyInput, OwnPasskeys } from '../../../../shared/schemas/passkey'
import { inTransaction, type Db } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { PasskeyRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { findSession } from '../accounts/sessions.queries'
import { recordUserAudit } from '../audit/record-audit'
import { purposeOf, type CallSource } from './call-source'
import { readMadePasskey, toPasskeySetup } from './make-passkey'
import { findPasskeyPlace, requirePasskeyPlace } from './passkey-place'
import {
  countPasskeys,
  deletePasskey,
  findPasskeyOf,
  insertPasskey,
  listPasskeyRows,
  updatePasskeyName,
} from './passkeys.queries'

/** The caller's passkeys, and whether more can be added. */
export async function listPasskeys(
  deps: Deps,
  actor: Actor,
  from: CallSource,
): Promise<OwnPasskeys> {
  const place = findPasskeyPlace(deps.config, from.calledAt)
  const rows = await listPasskeyRows(deps.db, selfOf(actor).id)
  const session = await findSession(deps.db, from.sessionIdHash, deps.clock.now())
  return {
    passkeys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      otherHost: row.host === place?.host ? null : row.host,
      createdAt: toInstant(row.createdAt),
      lastUsedAt: toInstantOrNull(row.lastUsedAt),
    })),
    origin: place?.origin ?? null,
    program: session?.program ?? null,
  }
}

/**
 * What the caller's browser needs to make a passkey.
 * @throws DomainError LIMIT_REACHED; NOT_CONFIGURED where browsers make none
 */
export async function preparePasskey(deps: Deps, actor: Actor, from: CallSource) {
  const self = selfOf(actor)
  const place = requirePasskeyPlace(deps.config, from.calledAt)
  const known = await listPasskeyRows(deps.db, self.id)
  if (known.length >= MAX_PASSKEYS_PER_PERSON) throw tooMany()
  return toPasskeySetup(deps, self, { purpose: purposeOf('add', actor, from), place, known })
}

/**
 * Adds a passkey of the caller, who is told of it.
 * @throws DomainError INVALID when it is not what was asked for, or that is over; CONFLICT for one that is known;
 *   LIMIT_REACHED; THROTTLED
 */
export async function addPasskey(
  deps: Deps,
  actor: Actor,
  { name, made }: AddPasskeyInput,
  from: CallSource,
): Promise<void> {
  const self = selfOf(actor)
  await countAttempts(deps, [{ limit: 'addPasskey', subject: self.id }])
  const place = requirePasskeyPlace(deps.config, from.calledAt)
  const passkey = await readMadePasskey(deps, made, {
    purpose: purposeOf('add', actor, from),
    place,
  })
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    // Ended meanwhile.
    if (!(await findSession(trx, from.sessionIdHash, now))) {
      throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    }
    if ((await countPasskeys(trx, self.id)) >= MAX_PASSKEYS_PER_PERSON) throw tooMany()
    const row = { ...passkey, userId: self.id, name, createdAt: now }
    if (!(await insertPasskey(trx, row))) {
      throw new DomainError('CONFLICT', 'This passkey was added already')
    }
    await recordUserAudit(trx, deps, self, { action: 'user.add-passkey', after: { passkey: name } })
    await deps.tellPerson(trx, deps, self, {
      kind: 'account.passkey-added',
      details: { keyNames: [name] },
    })
  })
}

/** @throws DomainError NOT_FOUND for one that was removed, or is somebody else's */
export async function renamePasskey(
  deps: Deps,
  actor: Actor,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const self = selfOf(actor)
  await inTransaction(deps.db, async (trx) => {
    const passkey = await loadPasskey(trx, id, self.id)
    await updatePasskeyName(trx, passkey, name)
    const [before, after] = [{ passkey: passkey.name }, { passkey: name }]
    await recordUserAudit(trx, deps, self, { action: 'user.rename-passkey', before, after })
  })
}

/**
 * Removes a passkey of the caller, who is told of it.
 * @throws DomainError as `renamePasskey`
 */
export async function removePasskey(deps: Deps, actor: Actor, id: number): Promise<void> {
  const self = selfOf(actor)
  await inTransaction(deps.db, async (trx) => {
    const passkey = await loadPasskey(trx, id, self.id)
    await deletePasskey(trx, passkey)
    const before = { passkey: passkey.name }
    await recordUserAudit(trx, deps, self, { action: 'user.remove-passkey', before })
    await deps.tellPerson(trx, deps, self, {
      kind: 'account.passkeys-removed',
      details: { keyNames: [passkey.name] },
    })
  })
}

async function loadPasskey(db: Db, id: number, userId: number): Promise<Owned<PasskeyRow>> {
  const passkey = await findPasskeyOf(db, id, userId)
  if (!passkey) throw notFound('Passkey')
  return passkey
}

const tooMany = () =>
  new DomainError(
    'LIMIT_REACHED',
    `You have ${MAX_PASSKEYS_PER_PERSON} passkeys already. Remove one that is no longer used.`,
  )
