import type { Insertable, Updateable } from 'kysely'

import type { AlertKind } from '../../../../shared/alerts'
import type { Db, WriteTransaction } from '../../../db/open'
import type { ProblemRow } from '../../../db/schema'
import type { ProblemsTable } from '../../../db/tables/alerts'

export function findProblem(
  db: Db,
  kind: AlertKind,
  subject: string,
): Promise<ProblemRow | undefined> {
  return db
    .selectFrom('problems')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export function listOpenProblems(
  db: Db,
  subject: string,
  kinds: readonly AlertKind[],
): Promise<ProblemRow[]> {
  return db
    .selectFrom('problems')
    .selectAll()
    .where('subject', '=', subject)
    .where('kind', 'in', kinds)
    .where('closedAt', 'is', null)
    .execute()
}

/** Lists all open problems of a kind. */
export function listOpenProblemsOf(db: Db, kind: AlertKind): Promise<ProblemRow[]> {
  return db
    .selectFrom('problems')
    .selectAll()
    .where('kind', '=', kind)
    .where('closedAt', 'is', null)
    .execute()
}

/** Lists problems that came and went, and have stayed as they are for long enough. */
export function listSettledProblems(db: Db, now: number): Promise<ProblemRow[]> {
  return db.selectFrom('problems').selectAll().where('settlesAt', '<=', now).execute()
}

/** Inserts a problem, or replaces an earlier one of the same kind and subject. */
export async function putProblem(
  trx: WriteTransaction,
  problem: Insertable<ProblemsTable>,
): Promise<void> {
  await trx
    .insertInto('problems')
    .values(problem)
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(problem))
    .execute()
}

export async function updateProblem(
  trx: WriteTransaction,
  id: number,
  changes: Updateable<ProblemsTable>,
): Promise<void> {
  await trx.updateTable('problems').set(changes).where('id', '=', id).execute()
}
