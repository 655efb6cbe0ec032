import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { syncRunSchema } from '../../../../shared/schemas/sync-run'
import { limitCalls, router, supplierProcedure } from '../../../trpc/init'
import { cancelSync, listRuns, syncNow } from './sync-control'

/** Calls on the syncs of a connection; they stand with those on connections. */
export const syncsRouter = router({
  sync: supplierProcedure
    .input(byIdInput)
    .use(limitCalls('syncNow'))
    .output(messageSchema)
    .mutation(({ ctx, input }) => syncNow(ctx.deps, ctx.actor, input.id)),

  cancelSync: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => cancelSync(ctx.deps, ctx.actor, input.id)),

  runs: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(syncRunSchema.array())
    .query(({ ctx, input }) => listRuns(ctx.deps, ctx.actor, input.id)),
})
