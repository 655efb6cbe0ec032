import type { Db } from './open'

/** Waiting and running work, of all processes. */
export type Backlog = {
  waitingSyncs: number
  runningSyncs: number
  /** How long the longest-waiting sync has been due; 0 when none is. */
  oldestDueMs: number
  /** Filtered files to be built. */
  waitingVariants: number
  /** Files to be sent to destinations, those included that are being sent or tried again. */
  waitingDispatches: number
  /** Since a scheduler last worked, in any process; null when none ever did. */
  sinceTickMs: number | null
}

/** Counts the work of a dead run as waiting once its lease has expired. */
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
  const dispatches = await db
    .selectFrom('dispatches')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', '=', 'waiting')
    .where('destinationId', 'is not', null)
    .executeTakeFirstOrThrow()
  const tick = await db.selectFrom('schedulerTicks').select('lastTickAt').executeTakeFirst()
  return {
    waitingSyncs: syncs.waiting,
    runningSyncs: syncs.running,
    oldestDueMs: now - (syncs.oldestDueAt ?? now),
    waitingVariants: variants.waiting,
    waitingDispatches: dispatches.waiting,
    sinceTickMs: tick ? now - tick.lastTickAt : null,
  }
}
