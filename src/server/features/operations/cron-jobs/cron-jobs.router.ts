import {
  cronJobNameInput,
  cronJobRunSchema,
  cronJobSchema,
  setCronJobActiveInput,
} from '../../../../shared/schemas/cron-job'
import { messageSchema } from '../../../../shared/schemas/file'
import { adminProcedure, router } from '../../../trpc/init'
import {
  deleteCronJob,
  listCronJobRuns,
  listCronJobs,
  restoreCronJobs,
  runCronJobNow,
  setCronJobActive,
  triggerBackup,
} from './cron-jobs'

export const cronJobsRouter = router({
  list: adminProcedure
    .meta({ cost: 2 })
    .output(cronJobSchema.array())
    .query(({ ctx }) => listCronJobs(ctx.deps)),

  runs: adminProcedure
    .meta({ cost: 2 })
    .input(cronJobNameInput)
    .output(cronJobRunSchema.array())
    .query(({ ctx, input }) => listCronJobRuns(ctx.deps, input.name)),

  delete: adminProcedure
    .input(cronJobNameInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => deleteCronJob(ctx.deps, input.name)),

  /** Restores all deleted built-in jobs. */
  restore: adminProcedure.output(messageSchema).mutation(({ ctx }) => restoreCronJobs(ctx.deps)),

  runNow: adminProcedure
    .input(cronJobNameInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => runCronJobNow(ctx.deps, input.name)),

  setActive: adminProcedure
    .input(setCronJobActiveInput)
    .output(cronJobSchema)
    .mutation(({ ctx, input }) => setCronJobActive(ctx.deps, input)),

  triggerBackup: adminProcedure
    .output(messageSchema)
    .mutation(({ ctx }) => triggerBackup(ctx.deps)),
})
