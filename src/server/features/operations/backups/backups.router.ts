import { backupFileSchema, listBackupFilesInput } from '../../../../shared/schemas/cron-job'
import { adminProcedure, router } from '../../../trpc/init'
import { listBackupFiles } from './backups'

export const backupsRouter = router({
  list: adminProcedure
    .meta({ cost: 2 })
    .input(listBackupFilesInput)
    .output(backupFileSchema.array())
    .query(({ ctx, input }) => listBackupFiles(ctx.deps, input.jobName)),
})
