import { byIdInput } from '../../../../shared/schemas/primitives'
import { receivedFileInput, receivedFileSchema } from '../../../../shared/schemas/received-file'
import { router, supplierProcedure } from '../../../trpc/init'
import { getReceivedFile, listReceivedFiles } from './received-files'

export const receivedFilesRouter = router({
  list: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(receivedFileSchema.array())
    .query(({ ctx, input }) => listReceivedFiles(ctx.deps, ctx.actor, input.id)),

  get: supplierProcedure
    .input(receivedFileInput)
    .output(receivedFileSchema)
    .query(({ ctx, input }) => getReceivedFile(ctx.deps, ctx.actor, input)),
})
