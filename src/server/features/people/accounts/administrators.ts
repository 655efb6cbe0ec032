import { randomBytes } from 'node:crypto'

import type { Role } from '../../../../shared/constants'
import { inTransaction, type Db } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { recordUserAudit } from '../audit/record-audit'
import { usernameKey } from './accounts'
import { endFactorsOf } from './end-factors'
import { hashNewPassword } from './new-password'
import { OPERATOR } from './passwords'
import { findPersonWithHash } from './persons.queries'
import { endUserSessions } from './sessions.queries'
import { countUsersByRole, insertUser, updateUser } from './users.queries'

/**
 * Creates the first administrator in a database that has none.
 * @returns the generated password, which must be shown once; null when none was generated
 * @throws DomainError CONFLICT when the name belongs to a supplier or a retailer
 */
export async function ensureFirstAdmin(deps: Deps): Promise<string | null> {
  if (await hasAdmin(deps.db)) return null
  const { adminUsername, adminPassword } = deps.config
  const password = adminPassword ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashNewPassword(deps, OPERATOR, { password, names: [adminUsername] })
  const isCreated = await addFirstAdmin(deps, adminUsername, passwordHash)
  return isCreated && !adminPassword ? password : null
}

export const hasAdmin = async (db: Db): Promise<boolean> =>
  (await countUsersByRole(db, 'SUPER_ADMIN')) > 0

/**
 * @returns whether this has made the first administrator; false when there is one
 * @throws DomainError CONFLICT when the name belongs to a supplier or a retailer
 */
export function addFirstAdmin(
  deps: Deps,
  username: string,
  passwordHash: string,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    if (await hasAdmin(trx)) return false
    const known = await findPersonWithHash(trx, usernameKey(username))
    if (known) throw nameTaken(username, known.role)
    const admin = await insertUser(trx, toAdmin(username, passwordHash, deps.clock.now()))
    await recordUserAudit(trx, deps, admin, { action: 'administrator.create' })
    return true
  })
}

/**
 * Creates an administrator, or sets the password of an existing one and ends its sessions. A second factor and passkeys
 * stay unless they are to go, because they are lost.
 * @throws DomainError CONFLICT when the name belongs to a supplier or a retailer
 */
export async function saveAdmin(
  deps: Deps,
  username: string,
  password: string,
  { isWithoutSecondFactor } = { isWithoutSecondFactor: false },
): Promise<'created' | 'updated'> {
  const passwordHash = await hashNewPassword(deps, OPERATOR, { password, names: [username] })
  return inTransaction(deps.db, async (trx) => {
    const known = await findPersonWithHash(trx, usernameKey(username))
    if (!known) {
      const admin = await insertUser(trx, toAdmin(username, passwordHash, deps.clock.now()))
      await recordUserAudit(trx, deps, admin, { action: 'administrator.create' })
      return 'created'
    }
    if (known.role !== 'SUPER_ADMIN') {
      throw nameTaken(username, known.role)
    }
    await endUserSessions(trx, known.id)
    await updateUser(trx, known.id, { passwordHash, isActive: true })
    await recordUserAudit(trx, deps, known, { action: 'administrator.set-password' })
    await deps.tellPerson(trx, deps, known, { kind: 'account.password-changed' })
    if (isWithoutSecondFactor) await endFactorsOf(trx, deps, known, ENDED)
    return 'updated'
  })
}

const ENDED = {
  factor: 'administrator.turn-off-second-factor',
  passkeys: 'administrator.remove-passkeys',
} as const

function toAdmin(username: string, passwordHash: string, createdAt: number) {
  return {
    username,
    usernameKey: usernameKey(username),
    passwordHash,
    role: 'SUPER_ADMIN' as const,
    createdAt,
  }
}

function nameTaken(username: string, role: Role): DomainError {
  return new DomainError('CONFLICT', `${username} is the name of a ${role} account`)
}
