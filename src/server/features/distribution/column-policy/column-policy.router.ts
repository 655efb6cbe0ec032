import {
  columnPolicyInput,
  columnSettingsSchema,
  foundStockTextsSchema,
  stockTextsInput,
} from '../../../../shared/schemas/column-policy'
import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { router, supplierProcedure } from '../../../trpc/init'
import { findStockTexts, readColumnPolicy, saveColumnPolicy } from './column-policy'

export const columnPolicyRouter = router({
  /** @param id of the connection */
  get: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(columnSettingsSchema)
    .query(({ ctx, input }) => readColumnPolicy(ctx.deps, ctx.actor, input.id)),

  save: supplierProcedure
    .meta({ cost: 2 })
    .input(columnPolicyInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveColumnPolicy(ctx.deps, ctx.actor, input)
      return { message: 'Columns saved' }
    }),

  stockTexts: supplierProcedure
    .meta({ cost: 5 })
    .input(stockTextsInput)
    .output(foundStockTextsSchema)
    .query(({ ctx, input, signal }) => findStockTexts(ctx.deps, ctx.actor, { ...input, signal })),
})
