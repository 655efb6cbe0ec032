import {
  compareVersionsInput,
  versionDifferenceSchema,
} from '../../../../shared/schemas/difference'
import { procedureFor, router } from '../../../trpc/init'
import { compareVersions } from './compare-versions'

export const differencesRouter = router({
  compare: procedureFor('SUPPLIER', 'SUPER_ADMIN')
    .meta({ cost: 5 })
    .input(compareVersionsInput)
    .output(versionDifferenceSchema)
    .query(({ ctx, input, signal }) => compareVersions(ctx.deps, ctx.actor, { ...input, signal })),
})
