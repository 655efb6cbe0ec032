import { backupFileNameInput } from '../../../../shared/schemas/cron-job'
import { messageSchema } from '../../../../shared/schemas/file'
import {
  beginRestoreInput,
  restorePreviewSchema,
  restoreStateSchema,
} from '../../../../shared/schemas/restore'
import { adminProcedure, router } from '../../../trpc/init'
import { readRestorePreview, readRestoreState, requestRestore } from './restores'

export const restoresRouter = router({
  /** What the restore of a backup would do. */
  preview: adminProcedure
    .meta({ cost: 2 })
    .input(backupFileNameInput)
    .output(restorePreviewSchema)
    .query(({ ctx, input }) => readRestorePreview(ctx.deps, input.fileName)),

  /** How far the restore is that was asked for last. */
  state: adminProcedure.output(restoreStateSchema).query(({ ctx }) => readRestoreState(ctx.deps)),

  /** Replaces all data by a backup, in the background. */
  begin: adminProcedure
    .meta({ needsConfirmation: true })
    .input(beginRestoreInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await requestRestore(ctx.deps, ctx.actor, input)
      return { message: 'The backup is being checked' }
    }),
})
