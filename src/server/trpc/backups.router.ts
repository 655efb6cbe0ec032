import { backupFileSchema, listBackupFilesInput } from '../../shared/schemas/cron-job'
import { listBackupFiles } from '../domain/backups'
import { procedureFor, router } from './init'

export const backupsRouter = router({
  list: procedureFor('SUPER_ADMIN')
    .input(listBackupFilesInput)
    .output(backupFileSchema.array())
    .query(({ ctx, input }) => listBackupFiles(ctx.deps, input.jobName)),
})
