import { MAX_LOGIN_KEYS } from '../../../../shared/constants'
import type {
  ChangedSftpLogin,
  ChangeSftpLoginInput,
  CreateSftpLoginInput,
  SftpAccess,
  SftpLogin,
} from '../../../../shared/schemas/sftp-login'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { SftpLoginRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { createSecretToken, endOfToken, hashSecretToken } from '../../../domain/secret-token'
import { tellPerson } from '../../alerting/alerts/notices'
import { loadConnection } from '../../catalogue/connections/connections'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { findUser, type UserRecord } from '../../people/accounts/users.queries'
import { hidden } from '../../people/audit/audited-changes'
import { recordConnectionAudit, recordRetailerAudit } from '../../people/audit/audited-records'
import { listAddressKeepers } from '../feed-addresses/feed-addresses.queries'
import { loadRetailer } from '../retailers/retailers'
import { findRetailer } from '../retailers/retailers.queries'
import { readLoginKeys, toLoginKey } from './login-keys'
import { makeLoginName } from './login-name'
import { readSftpAddress } from './sftp-address'
import {
  deleteSftpLogin,
  findSftpLogin,
  findSftpLoginOf,
  insertSftpLogin,
  listRetailersWithSftpLogin,
  updateSftpLogin,
  type LoginHolder,
} from './sftp-logins.queries'

/** What has a login: a connection, to put its files, or a retailer, to fetch its own. */
export type LoginOf = 'connection' | 'retailer'

/** @throws DomainError NOT_FOUND when the actor may not see it */
async function loadHolder(db: Db, actor: Actor, of: LoginOf, id: number): Promise<LoginHolder> {
  return of === 'connection'
    ? { connection: await loadConnection(db, actor, id) }
    : { retailer: await loadRetailer(db, actor, id) }
}

/** Reads where files are put or fetched by SFTP, and with which login. */
export async function readSftpAccess(
  deps: Deps,
  actor: Actor,
  of: LoginOf,
  id: number,
): Promise<SftpAccess> {
  const holder = await loadHolder(deps.db, actor, of, id)
  const row = await findSftpLoginOf(deps.db, holder)
  return { server: await readSftpAddress(deps), login: row ? toSftpLogin(row) : null }
}

const toSftpLogin = (row: SftpLoginRow): SftpLogin => ({
  username: row.username,
  passwordEnd: row.passwordEnd,
  publicKeys: row.publicKeys.flatMap(toLoginKey),
  createdAt: toInstant(row.createdAt),
  lastUsedAt: toInstantOrNull(row.lastUsedAt),
  lastClient: row.lastClient,
})

type Secrets = Pick<SftpLoginRow, 'passwordHash' | 'passwordEnd' | 'publicKeys'>
const NO_SECRETS: Secrets = { passwordHash: null, passwordEnd: null, publicKeys: [] }

/**
 * Makes the login of a connection or a retailer, with a password unless it has keys. The password is stored nowhere
 * and cannot be read again.
 * @throws DomainError NOT_CONFIGURED without an SFTP server; NOT_FOUND; CONFLICT when there is one; INVALID; THROTTLED
 */
export async function createSftpLogin(
  deps: Deps,
  actor: Actor,
  of: LoginOf,
  { id, ...input }: CreateSftpLoginInput,
): Promise<ChangedSftpLogin> {
  await loadHolder(deps.db, actor, of, id)
  if (deps.config.sftp === null) {
    throw new DomainError('NOT_CONFIGURED', 'This installation has no SFTP server.')
  }
  const keys = readLoginKeys(input.addKeys ?? '')
  const password = input.password ?? (keys.length > 0 ? 'none' : 'new')
  const { secrets, token } = changeSecrets(NO_SECRETS, { password, keys, removed: [] })
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  return inTransaction(deps.db, async (trx) => {
    const holder = await loadHolder(trx, actor, of, id)
    if (await findSftpLoginOf(trx, holder)) {
      throw new DomainError('CONFLICT', 'There is an SFTP login already')
    }
    const named = { username: await chooseName(trx, holder), createdAt: deps.clock.now() }
    const row = await insertSftpLogin(trx, holder, { ...named, ...secrets })
    await recordLogin(trx, deps, holder, { verb: 'create-sftp-login', after: toAudited(row) })
    await tellOthers(trx, deps, actor, holder, 'account.sftp-login-made')
    return { username: row.username, password: token }
  })
}

/** Two of the same name are as good as impossible, but not two at once. */
async function chooseName(trx: WriteTransaction, holder: LoginHolder): Promise<string> {
  const name = makeLoginName(await nameOf(trx, holder))
  return (await findSftpLogin(trx, name)) ? chooseName(trx, holder) : name
}

/** What people call whose login it is. */
async function nameOf(db: Db, holder: LoginHolder): Promise<string> {
  if ('retailer' in holder) return holder.retailer.storeName ?? holder.retailer.username
  const supplier = await findUser(db, holder.connection.supplierId)
  return supplier?.companyName ?? supplier?.username ?? ''
}

/**
 * Changes what opens a login, which takes effect at once.
 * @throws DomainError NOT_FOUND; INVALID for keys, and when neither a password nor a key would be left; THROTTLED
 */
export async function changeSftpLogin(
  deps: Deps,
  actor: Actor,
  of: LoginOf,
  { id, password, addKeys = '', removeKeys: removed = [] }: ChangeSftpLoginInput,
): Promise<ChangedSftpLogin> {
  await loadHolder(deps.db, actor, of, id)
  const keys = readLoginKeys(addKeys)
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  return inTransaction(deps.db, async (trx) => {
    const holder = await loadHolder(trx, actor, of, id)
    const before = await findSftpLoginOf(trx, holder)
    if (!before) throw notFound('SFTP login')
    const { secrets, token } = changeSecrets(before, { password, keys, removed })
    const after = { ...before, ...secrets }
    const { username } = before
    if (isSame(before, after)) return { username, password: null }
    await updateSftpLogin(trx, holder, secrets)
    const states = { before: toAudited(before), after: toAudited(after) }
    await recordLogin(trx, deps, holder, { verb: 'change-sftp-login', ...states })
    await tellOthers(trx, deps, actor, holder, 'account.sftp-login-changed')
    return { username, password: token }
  })
}

const isSame = (before: Secrets, after: Secrets) =>
  before.passwordHash === after.passwordHash && before.publicKeys.join() === after.publicKeys.join()

type Wanted = {
  password: 'new' | 'none' | undefined
  /** Those to be added, as they are stored. */
  keys: string[]
  /** The fingerprints of those to be removed. */
  removed: string[]
}

/** What opens a login after a change, and its new password. */
function changeSecrets(
  before: Secrets,
  { password, keys, removed }: Wanted,
): { secrets: Secrets; token: string | null } {
  const token = password === 'new' ? createSecretToken() : null
  const kept = before.publicKeys.filter((line) =>
    toLoginKey(line).every(({ fingerprint }) => !removed.includes(fingerprint)),
  )
  const secrets = {
    passwordHash: before.passwordHash,
    passwordEnd: before.passwordEnd,
    ...(password === 'none' && { passwordHash: null, passwordEnd: null }),
    ...(token !== null && { passwordHash: hashSecretToken(token), passwordEnd: endOfToken(token) }),
    publicKeys: withoutTwins([...kept, ...keys]),
  }
  if (secrets.publicKeys.length > MAX_LOGIN_KEYS) {
    throw new DomainError('INVALID', `A login can have up to ${MAX_LOGIN_KEYS} keys`, {
      field: 'addKeys',
    })
  }
  if (secrets.passwordHash === null && secrets.publicKeys.length === 0) {
    throw new DomainError('INVALID', 'Without a password, the login needs a public key', {
      field: keys.length === 0 && password === 'none' ? 'password' : 'removeKeys',
    })
  }
  return { secrets, token }
}

/** The first of each key, whatever it is called. */
const withoutTwins = (lines: string[]) =>
  lines.filter((line, index) => lines.findIndex((other) => keyOf(other) === keyOf(line)) === index)

const keyOf = (line: string) => line.split(' ')[1]

/** Ends a login at once: nothing of it is left. */
export function revokeSftpLogin(deps: Deps, actor: Actor, of: LoginOf, id: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await endSftpLogin(trx, deps, await loadHolder(trx, actor, of, id))
  })
}

/** Ends the logins of a supplier and of its retailers, or those of a retailer. */
export async function endSftpLoginsOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  if (user.role === 'SUPER_ADMIN') return
  const scope = user.role === 'SUPPLIER' ? { supplierId: user.id } : { userId: user.id }
  const connection =
    user.role === 'SUPPLIER' ? await findSupplierConnection(trx, user.id) : undefined
  if (connection) await endSftpLogin(trx, deps, { connection })
  for (const id of await listRetailersWithSftpLogin(trx, scope)) {
    const retailer = await findRetailer(trx, id, scope)
    if (retailer) await endSftpLogin(trx, deps, { retailer })
  }
}

async function endSftpLogin(trx: WriteTransaction, deps: Deps, holder: LoginHolder) {
  if ((await deleteSftpLogin(trx, holder)) === 0) return
  await recordLogin(trx, deps, holder, { verb: 'revoke-sftp-login' })
}

type Recorded = Parameters<typeof recordConnectionAudit>[3] & {
  verb: `${'create' | 'change' | 'revoke'}-sftp-login`
}

const recordLogin = (trx: WriteTransaction, deps: Deps, holder: LoginHolder, what: Recorded) =>
  'connection' in holder
    ? recordConnectionAudit(trx, deps, holder.connection, what)
    : recordRetailerAudit(trx, deps, holder.retailer, what)

const toAudited = ({ username, passwordHash, passwordEnd, publicKeys }: SftpLoginRow) => ({
  username,
  password: passwordHash === null ? null : hidden([passwordHash], `…${passwordEnd}`),
  publicKeys: publicKeys.flatMap(toLoginKey).map(({ fingerprint }) => fingerprint),
})

/** Whoever of the company sees to it: by a login its file can be read, or other files published. */
async function tellOthers(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
  holder: LoginHolder,
  kind: 'account.sftp-login-made' | 'account.sftp-login-changed',
): Promise<void> {
  const details = { storeNames: [await nameOf(trx, holder)] }
  const companyId = 'connection' in holder ? holder.connection.supplierId : holder.retailer.userId
  for (const person of await listAddressKeepers(trx, companyId)) {
    if (person.id !== selfOf(actor).id) await tellPerson(trx, deps, person, { kind, details })
  }
}
