import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  guardInput,
  guardSchema,
  guardTrialSchema,
  pinVersionInput,
  versionInput,
  versionListSchema,
} from '../../../../shared/schemas/publishing'
import { router, supplierProcedure } from '../../../trpc/init'
import { readGuard, saveGuard, tryGuard } from './guard'
import { discardVersion, pinVersion, publishVersion } from './publications'
import { listVersionHistory } from './version-list'

export const publishingRouter = router({
  versions: supplierProcedure
    .input(byIdInput)
    .output(versionListSchema)
    .query(({ ctx, input }) => listVersionHistory(ctx.deps, ctx.actor, input.id)),

  publish: supplierProcedure
    .meta({ cost: 2 })
    .input(versionInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await publishVersion(ctx.deps, ctx.actor, input)
      return { message: 'File published' }
    }),

  discard: supplierProcedure
    .input(versionInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await discardVersion(ctx.deps, ctx.actor, input)
      return { message: 'File discarded' }
    }),

  pin: supplierProcedure
    .input(pinVersionInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await pinVersion(ctx.deps, ctx.actor, input)
      return { message: input.isPinned ? 'File pinned' : 'File unpinned' }
    }),

  guard: supplierProcedure
    .input(byIdInput)
    .output(guardSchema)
    .query(({ ctx, input }) => readGuard(ctx.deps, ctx.actor, input.id)),

  tryGuard: supplierProcedure
    .meta({ cost: 2 })
    .input(guardInput)
    .output(guardTrialSchema)
    .query(({ ctx, input }) => tryGuard(ctx.deps, ctx.actor, input)),

  saveGuard: supplierProcedure
    .input(guardInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveGuard(ctx.deps, ctx.actor, input)
      return { message: 'Safety checks saved' }
    }),
})
