import { auditPageInput, auditPageSchema } from '../../../../shared/schemas/audit'
import { procedureFor, router } from '../../../trpc/init'
import { pageAuditEntries } from './audit-log'

export const auditRouter = router({
  page: procedureFor('SUPPLIER', 'SUPER_ADMIN')
    .meta({ cost: 2 })
    .input(auditPageInput)
    .output(auditPageSchema)
    .query(({ ctx, input }) => pageAuditEntries(ctx.deps, ctx.actor, input)),
})
