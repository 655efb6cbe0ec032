import {
  CONFIRMED_SCOPES,
  KEY_PREFIX,
  listKeyScopes,
  MAX_KEYS_PER_PERSON,
} from '../../../../shared/api-keys'
import type { ApiKey, CreateApiKeyInput, NewApiKey } from '../../../../shared/schemas/api-key'
import { inTransaction, type Db } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import {
  connectionScope,
  may,
  memberRoleOf,
  retailerScope,
  selfOf,
  type Actor,
} from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import { requireConfirmed } from '../../../domain/confirmation'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { readExpiry } from '../../../domain/expiry'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { readNetwork } from '../../../domain/networks'
import { createSecretToken, endOfToken, hashSecretToken } from '../../../domain/secret-token'
import { findPerson } from '../accounts/persons.queries'
import type { UserRecord } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'
import {
  countApiKeys,
  deleteApiKey,
  findApiKey,
  hasConnection,
  hasRetailer,
  insertApiKey,
  listApiKeyRows,
  type NamedApiKey,
} from './api-keys.queries'
import { keepEnded } from './end-api-keys'

/** Lists the keys of the caller, or of a person whom an owner or an administrator names, the newest first. */
export async function listApiKeys(
  deps: Deps,
  actor: Actor,
  { personId }: { personId?: number | undefined },
): Promise<ApiKey[]> {
  const person = await loadPerson(deps.db, actor, personId)
  return (await listApiKeyRows(deps.db, person.id)).map(toApiKey)
}

const toApiKey = (row: NamedApiKey): ApiKey => ({
  id: row.id,
  name: row.name,
  tokenEnd: row.tokenEnd,
  scopes: row.scopes,
  connection: toPart(row.connectionId, row.connectionName),
  retailer: toPart(row.retailerId, row.retailerName),
  networks: row.networks,
  createdAt: toInstant(row.createdAt),
  expiresAt: toInstantOrNull(row.expiresAt),
  lastUsedAt: toInstantOrNull(row.lastUsedAt),
  program: row.program,
  address: row.address,
})

const toPart = (id: number | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' }

/**
 * Makes a key of the caller, which is returned once and stored nowhere. It is told to its person.
 * @throws DomainError FORBIDDEN with a scope for which the caller has to confirm first; INVALID for a scope that the
 *   role does not have, a network or a time; NOT_FOUND for a connection or a retailer of others; LIMIT_REACHED; THROTTLED
 */
export async function createApiKey(
  deps: Deps,
  actor: Actor,
  input: CreateApiKeyInput,
  sessionIdHash: string,
): Promise<NewApiKey> {
  const self = selfOf(actor)
  const now = deps.clock.now()
  const scopes = chooseScopes(actor, input.scopes)
  const networks = input.networks.map(readNetwork)
  const expiresAt = readExpiry(input.expiresAt, now, 'expiresAt')
  if (scopes.some((scope) => CONFIRMED_SCOPES.includes(scope))) {
    await requireConfirmed(deps, sessionIdHash)
  }
  await countAttempts(deps, [{ limit: 'createApiKey', subject: self.id }])
  const token = `${KEY_PREFIX}${createSecretToken()}`
  const key = await inTransaction(deps.db, async (trx) => {
    const part = await choosePart(trx, actor, input)
    if ((await countApiKeys(trx, self.id)) >= MAX_KEYS_PER_PERSON) {
      const message = `You have ${MAX_KEYS_PER_PERSON} keys already. End one that is no longer used.`
      throw new DomainError('LIMIT_REACHED', message)
    }
    const id = await insertApiKey(trx, {
      userId: self.id,
      name: input.name,
      tokenHash: hashSecretToken(token),
      tokenEnd: endOfToken(token),
      scopes,
      ...part,
      networks,
      createdAt: now,
      expiresAt,
    })
    const row = await loadKey(trx, id, self.id)
    await recordUserAudit(trx, deps, self, { action: 'user.create-key', after: toAudited(row) })
    await deps.tellPerson(trx, deps, self, {
      kind: 'account.key-made',
      details: { keyNames: [row.name] },
    })
    return row
  })
  return { key: toApiKey(key), token }
}

function chooseScopes(actor: Actor, wanted: CreateApiKeyInput['scopes']) {
  const allowed = listKeyScopes(actor.role, memberRoleOf(actor))
  const other = wanted.find((scope) => !allowed.includes(scope))
  if (other !== undefined) {
    throw new DomainError('INVALID', `Your keys cannot have the scope ${other}`, {
      field: 'scopes',
    })
  }
  return allowed.filter((scope) => wanted.includes(scope))
}

async function choosePart(db: Db, actor: Actor, input: CreateApiKeyInput) {
  const { connectionId = null, retailerId = null } = input
  if (connectionId !== null && retailerId !== null) {
    const message = 'A key is limited to a connection or to a retailer'
    throw new DomainError('INVALID', message, { field: 'retailerId' })
  }
  if (connectionId !== null) {
    const { supplierId } = connectionScope(actor)
    const isOwn = actor.role !== 'RETAILER' && (await hasConnection(db, connectionId, supplierId))
    if (!isOwn) throw notFound('Connection')
  }
  if (retailerId !== null && !(await hasRetailer(db, retailerId, retailerScope(actor)))) {
    throw notFound('Retailer')
  }
  return { connectionId, retailerId }
}

/** Ends a key at once. @throws DomainError NOT_FOUND for one that has ended, or is somebody else's */
export async function endApiKey(
  deps: Deps,
  actor: Actor,
  { id, personId }: { id: number; personId?: number | undefined },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const person = await loadPerson(trx, actor, personId)
    const key = await loadKey(trx, id, person.id)
    await deleteApiKey(trx, key)
    await recordUserAudit(trx, deps, person, { action: 'user.end-key', before: toAudited(key) })
    // The last thing that can fail before the commit.
    await keepEnded(deps, key)
  })
}

const toAudited = ({
  name,
  tokenEnd,
  scopes,
  connectionName,
  retailerName,
  networks,
  expiresAt,
}: NamedApiKey) => ({
  name,
  end: tokenEnd,
  scopes,
  connection: connectionName,
  retailer: retailerName,
  networks,
  expiresAt: toInstantOrNull(expiresAt),
})

async function loadKey(db: Db, id: number, userId: number): Promise<Owned<NamedApiKey>> {
  const key = await findApiKey(db, id, userId)
  if (!key) throw notFound('Key')
  return key
}

/** @throws DomainError NOT_FOUND unless it is the caller, a person of an owner's company or, for administrators, of any */
async function loadPerson(db: Db, actor: Actor, personId: number | undefined): Promise<UserRecord> {
  const self = selfOf(actor)
  if (personId === undefined || personId === self.id) return self
  const person = await findPerson(db, personId)
  const isOfCompany = person !== undefined && (person.memberOf ?? person.id) === actor.id
  const mayName =
    actor.role === 'SUPER_ADMIN'
      ? person?.role !== 'SUPER_ADMIN'
      : isOfCompany && may(actor, 'company')
  if (!person || !mayName) throw notFound('Person')
  return person
}
