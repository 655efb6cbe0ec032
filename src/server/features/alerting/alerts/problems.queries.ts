import type { Insertable, Updateable } from 'kysely'

import type { AlertKind } from '../../../../shared/alerts'
import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
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

const selectOpen = prepare((db, { subject }: { subject: string }) =>
  db
    .selectFrom('problems')
    .selectAll()
    .where('subject', '=', subject)
    .where('closedAt', 'is', null),
)

/** Lists the open problems of some kinds, of which one subject has few. */
export async function listOpenProblems(
  db: Db,
  subject: string,
  kinds: readonly AlertKind[],
): Promise<ProblemRow[]> {
  const open = await selectOpen(db, { subject }).execute()
  return open.filter(({ kind }) => kinds.some((wanted) => wanted === kind))
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
