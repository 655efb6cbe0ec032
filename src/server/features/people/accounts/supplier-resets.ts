import type { Db } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countIfWithin } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { findConfirmedAddress } from '../recovery/account-mails.queries'
import { countRelations } from './linked-retailers.queries'

/**
 * Whether a supplier may set the password of its retailer: not of a login by which it would reach the files of others,
 * nor of one that can help itself by mail.
 */
async function maySupplierReset(db: Db, userId: number): Promise<boolean> {
  const isShared = (await countRelations(db, userId)) > 1
  return !isShared && (await findConfirmedAddress(db, userId)) === undefined
}

/**
 * Before anything is done: refuses, and sends a link for a new password to whose it is, if there is an address.
 * @throws DomainError FORBIDDEN
 */
export async function refuseSupplierReset(deps: Deps, actor: Actor, userId: number): Promise<void> {
  if (actor.role !== 'SUPPLIER' || (await maySupplierReset(deps.db, userId))) return
  const canBeMailed = deps.mail !== null && (await findConfirmedAddress(deps.db, userId))
  if (!canBeMailed) throw notTheirs('If it cannot sign in, ask your administrator.')
  if (await countIfWithin(deps, [{ limit: 'recoverAccount', subject: userId }])) {
    await deps.queuePasswordLink(deps, userId)
  }
  throw notTheirs('A link for a new one was sent to it by e-mail.')
}

/** The same in the transaction of the reset: the login may have become another supplier's too meanwhile. */
export async function requireSupplierReset(trx: Db, actor: Actor, userId: number): Promise<void> {
  if (actor.role !== 'SUPPLIER' || (await maySupplierReset(trx, userId))) return
  throw notTheirs('Try again to send it a link for a new one.')
}

/** Does not say whether there are other suppliers. */
const notTheirs = (next: string) =>
  new DomainError('FORBIDDEN', `Only the retailer itself can change this password. ${next}`)
