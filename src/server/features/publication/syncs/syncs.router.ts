import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import { idSchema } from '../../../../shared/schemas/primitives'
import { syncRunSchema } from '../../../../shared/schemas/sync-run'
import { limitCalls, procedureFor, router } from '../../../trpc/init'
import { cancelSync, listRuns, syncNow } from './sync-control'

const supplierProcedure = procedureFor('SUPPLIER', 'SUPER_ADMIN')
const byId = z.object({ id: idSchema })

/** Calls on the syncs of a connection; they stand with those on connections. */
export const syncsRouter = router({
  sync: supplierProcedure
    .input(byId)
    .use(limitCalls('syncNow'))
    .output(messageSchema)
    .mutation(({ ctx, input }) => syncNow(ctx.deps, ctx.actor, input.id)),

  cancelSync: supplierProcedure
    .input(byId)
    .output(messageSchema)
    .mutation(({ ctx, input }) => cancelSync(ctx.deps, ctx.actor, input.id)),

  runs: supplierProcedure
    .meta({ cost: 2 })
    .input(byId)
    .output(syncRunSchema.array())
    .query(({ ctx, input }) => listRuns(ctx.deps, ctx.actor, input.id)),
})
