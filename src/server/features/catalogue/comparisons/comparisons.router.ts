import {
  changedItemsInput,
  changedItemsPageSchema,
  compareVersionsInput,
  versionComparisonSchema,
} from '../../../../shared/schemas/comparison'
import { router, supplierProcedure } from '../../../trpc/init'
import { listChangedItems } from './changed-items'
import { compareVersions } from './compare-versions'

export const comparisonsRouter = router({
  compare: supplierProcedure
    .meta({ cost: 5 })
    .input(compareVersionsInput)
    .output(versionComparisonSchema)
    .query(({ ctx, input, signal }) => compareVersions(ctx.deps, ctx.actor, { ...input, signal })),

  items: supplierProcedure
    .meta({ cost: 5 })
    .input(changedItemsInput)
    .output(changedItemsPageSchema)
    .query(({ ctx, input, signal }) => listChangedItems(ctx.deps, ctx.actor, { ...input, signal })),
})
