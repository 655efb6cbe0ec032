import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  runFiguresSchema,
  timelinePageInput,
  timelinePageSchema,
} from '../../../../shared/schemas/timeline'
import { router, supplierProcedure } from '../../../trpc/init'
import { readRunFigures } from './run-figures'
import { pageTimeline } from './timeline'

export const timelineRouter = router({
  /** @param id of the connection */
  page: supplierProcedure
    .meta({ cost: 2 })
    .input(timelinePageInput)
    .output(timelinePageSchema)
    .query(({ ctx, input }) => pageTimeline(ctx.deps, ctx.actor, input)),

  figures: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(runFiguresSchema.array())
    .query(({ ctx, input }) => readRunFigures(ctx.deps, ctx.actor, input.id)),
})
