import { sql } from 'kysely'

import { PASSWORD_MIN_LENGTH, type Role } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { CAN_SIGN_IN, COMPANY_ID } from '../../../db/queries-kit/expressions'
import { COUNT } from '../../../db/queries-kit/results'
import type { SignInRulesRow } from '../../../db/schema'
import { HAS_FACTOR } from '../second-factor/has-factor.queries'

const ID = 1
const UNCHANGED: SignInRulesRow = {
  id: ID,
  requiredFactors: {},
  passwordMinLength: PASSWORD_MIN_LENGTH,
  isCommonRefused: false,
}

/** Of what tells when the rules change. */
export const SIGN_IN_RULES_TOPIC = `sign-in-rules ${ID}`

export async function findSignInRules(db: Db): Promise<SignInRulesRow> {
  const found = await db
    .selectFrom('signInRules')
    .selectAll()
    .where('id', '=', ID)
    .executeTakeFirst()
  return found ?? UNCHANGED
}

export async function saveSignInRules(
  trx: WriteTransaction,
  rules: Omit<SignInRulesRow, 'id'>,
): Promise<void> {
  await trx
    .insertInto('signInRules')
    .values({ id: ID, ...rules })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rules))
    .execute()
}

/** Everybody who can sign in, with the role of the company. */
function selectPeople(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('users as company', (join) => join.on('company.id', '=', COMPANY_ID))
    .where('users.isActive', '=', true)
    .where('company.isActive', '=', true)
    .where(CAN_SIGN_IN)
}

/** Counts the people of each role, and those without a second factor among them. */
export function countPeopleByRole(db: Db) {
  return selectPeople(db)
    .select(['company.role', COUNT])
    .select(sql<number>`sum(case when ${HAS_FACTOR} then 0 else 1 end)`.as('without'))
    .groupBy('company.role')
    .execute()
}

/** Lists the people of a role who have no second factor, by id after `afterId`. */
export async function listPeopleWithoutFactor(
  db: Db,
  role: Role,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const rows = await selectPeople(db)
    .select('users.id')
    .where('company.role', '=', role)
    .where('users.id', '>', afterId)
    .where(sql<boolean>`not ${HAS_FACTOR}`)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
