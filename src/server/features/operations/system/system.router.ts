import { MAX_CALL_COST } from '../../../../shared/constants'
import {
  effectiveSettingSchema,
  examinationSchema,
  sendTestInput,
  systemStateSchema,
  testResultSchema,
} from '../../../../shared/schemas/system'
import { adminProcedure, limitCalls, router } from '../../../trpc/init'
import { sendTest } from './send-test'
import { readSystemState } from './system-state'

/** The installation itself, for administrators. */
export const systemRouter = router({
  state: adminProcedure
    .meta({ cost: 2 })
    .output(systemStateSchema)
    .query(({ ctx }) => readSystemState(ctx.deps)),

  /** Of the process that answers, read-only, without secrets. */
  settings: adminProcedure
    .output(effectiveSettingSchema.array())
    .query(({ ctx }) => ctx.deps.config.settings),

  /** What `npm run doctor` says. */
  examine: adminProcedure
    .meta({ cost: MAX_CALL_COST })
    .output(examinationSchema)
    .query(({ ctx }) => ctx.deps.doctor.examine(ctx.deps)),

  sendTest: adminProcedure
    .meta({ cost: MAX_CALL_COST })
    .input(sendTestInput)
    .use(limitCalls('sendSystemTest'))
    .output(testResultSchema)
    .mutation(({ ctx, input }) => sendTest(ctx.deps, ctx.actor, input)),
})
