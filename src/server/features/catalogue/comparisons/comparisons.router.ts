import {
  compareVersionsInput,
  versionComparisonSchema,
} from '../../../../shared/schemas/comparison'
import { procedureFor, router } from '../../../trpc/init'
import { compareVersions } from './compare-versions'

export const comparisonsRouter = router({
  compare: procedureFor('SUPPLIER', 'SUPER_ADMIN')
    .meta({ cost: 5 })
    .input(compareVersionsInput)
    .output(versionComparisonSchema)
    .query(({ ctx, input, signal }) => compareVersions(ctx.deps, ctx.actor, { ...input, signal })),
})
