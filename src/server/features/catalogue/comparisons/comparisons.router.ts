import {
  compareVersionsInput,
  versionComparisonSchema,
} from '../../../../shared/schemas/comparison'
import { router, supplierProcedure } from '../../../trpc/init'
import { compareVersions } from './compare-versions'

export const comparisonsRouter = router({
  compare: supplierProcedure
    .meta({ cost: 5 })
    .input(compareVersionsInput)
    .output(versionComparisonSchema)
    .query(({ ctx, input, signal }) => compareVersions(ctx.deps, ctx.actor, { ...input, signal })),
})
