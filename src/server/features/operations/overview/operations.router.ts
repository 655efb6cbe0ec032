import {
  finishedRunSchema,
  finishedRunsQuerySchema,
  overviewSchema,
  runHourSchema,
  runHoursQuerySchema,
  storageStateSchema,
  syncActivitySchema,
  troubledConnectionSchema,
} from '../../../../shared/schemas/operations'
import { adminProcedure, router } from '../../../trpc/init'
import { readSyncActivity } from '../../publication/syncs/sync-activity'
import { readFinishedRuns, readRunHours } from '../run-hours/run-hours'
import { listTroubles, readOverview, readStorageState } from './overview'

const observe = adminProcedure.meta({ cost: 2 })

/** How the product is doing, for administrators. */
export const operationsRouter = router({
  overview: observe.output(overviewSchema).query(({ ctx }) => readOverview(ctx.deps)),

  storage: observe.output(storageStateSchema).query(({ ctx }) => readStorageState(ctx.deps)),

  troubles: observe
    .output(troubledConnectionSchema.array())
    .query(({ ctx }) => listTroubles(ctx.deps)),

  /** Without those that have no runs. */
  runHours: observe
    .input(runHoursQuerySchema)
    .output(runHourSchema.array())
    .query(({ ctx, input }) => readRunHours(ctx.deps, input.hours)),

  finishedRuns: observe
    .input(finishedRunsQuerySchema)
    .output(finishedRunSchema.array())
    .query(({ ctx, input }) => readFinishedRuns(ctx.deps, input)),

  syncs: observe.output(syncActivitySchema).query(({ ctx }) => readSyncActivity(ctx.deps)),
})
