import { auditPageInput, auditPageSchema } from '../../../../shared/schemas/audit'
import { router, supplierProcedure } from '../../../trpc/init'
import { pageAuditEntries } from './audit-log'

export const auditRouter = router({
  page: supplierProcedure
    .meta({ cost: 2 })
    .input(auditPageInput)
    .output(auditPageSchema)
    .query(({ ctx, input }) => pageAuditEntries(ctx.deps, ctx.actor, input)),
})
