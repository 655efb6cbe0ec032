import { DAY_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import type { UserRecord } from '../accounts/users.queries'
import { hasFactor } from '../second-factor/has-factor.queries'
import { findSignInRules } from './sign-in-rules.queries'

/**
 * From when on a person can do nothing without a second factor: so many days after it was required of its role, or,
 * if the person came later, after the account was made. Undefined for who needs none, or has one.
 */
export async function findFactorDue(
  db: Db,
  { id, role, createdAt }: Pick<UserRecord, 'id' | 'role' | 'createdAt'>,
): Promise<number | undefined> {
  const { requiredFactors } = await findSignInRules(db)
  const required = requiredFactors[role]
  if (!required || (await hasFactor(db, id))) return undefined
  return Math.max(required.since, createdAt) + required.graceDays * DAY_MS
}

/** Whether an administrator asks for a second factor of a person, by now or later. */
export async function isFactorRequired(
  db: Db,
  { role }: Pick<UserRecord, 'role'>,
): Promise<boolean> {
  const { requiredFactors } = await findSignInRules(db)
  return requiredFactors[role] !== undefined
}
