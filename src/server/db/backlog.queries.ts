import type { Db } from './open'

/** What waits and runs, in all processes. */
export type Backlog = {
  waitingSyncs: number
  runningSyncs: number
  /** For how long the sync that waits longest has been due. */
  oldestDueMs: number
  waitingVariants: number
}

/** What a dead run holds waits again once its lease is over. */
export async function measureBacklog(db: Db, now: number): Promise<Backlog> {
  const syncs = await db
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.supplierId')
    .select(({ fn, eb }) => {
      const isRunning = eb.and([eb('leaseUntil', '>', now), eb('isRunning', '=', true)])
      const isWaiting = eb.and([
        eb('nextSyncAt', '<=', now),
        eb('connections.isActive', '=', true),
        eb('users.isActive', '=', true),
        eb.or([
          eb('leaseUntil', 'is', null),
          eb('leaseUntil', '<=', now),
          eb('isRunning', '=', false),
        ]),
      ])
      return [
        fn.countAll<number>().filterWhere(isRunning).as('running'),
        fn.countAll<number>().filterWhere(isWaiting).as('waiting'),
        fn.min('nextSyncAt').filterWhere(isWaiting).as('oldestDueAt'),
      ]
    })
    .executeTakeFirstOrThrow()
  const variants = await db
    .selectFrom('variants')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', '=', 'processing')
    .where(({ or, eb }) => or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .executeTakeFirstOrThrow()
  return {
    waitingSyncs: syncs.waiting,
    runningSyncs: syncs.running,
    oldestDueMs: now - (syncs.oldestDueAt ?? now),
    waitingVariants: variants.waiting,
  }
}
