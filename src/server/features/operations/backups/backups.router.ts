import {
  backupFileNameInput,
  backupFileSchema,
  listBackupFilesInput,
} from '../../../../shared/schemas/cron-job'
import { messageSchema } from '../../../../shared/schemas/file'
import { adminProcedure, router } from '../../../trpc/init'
import { requestDrill } from './backup-drills'
import { listBackupFiles } from './backups'

export const backupsRouter = router({
  list: adminProcedure
    .meta({ cost: 2 })
    .input(listBackupFilesInput)
    .output(backupFileSchema.array())
    .query(({ ctx, input }) => listBackupFiles(ctx.deps, input.jobName)),

  /** Restores a backup into a scratch folder and compares it, in the background. */
  test: adminProcedure
    .input(backupFileNameInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => requestDrill(ctx.deps, ctx.actor, input.fileName)),
})
