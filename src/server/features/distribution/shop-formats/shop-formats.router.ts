import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  shopFormatInput,
  shopFormatChoiceSchema,
  shopFormatPreviewSchema,
} from '../../../../shared/schemas/shop-format'
import { router, signedInProcedure } from '../../../trpc/init'
import { previewShopFormat, readShopFormat, saveShopFormat } from './shop-formats'

/** For the retailer itself, its supplier and administrators. */
export const shopFormatsRouter = router({
  /** @param id of the retailer */
  get: signedInProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(shopFormatChoiceSchema)
    .query(({ ctx, input }) => readShopFormat(ctx.deps, ctx.actor, input.id)),

  save: signedInProcedure
    .meta({ area: 'addresses' })
    .input(shopFormatInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveShopFormat(ctx.deps, ctx.actor, input)
      return { message: 'File format saved' }
    }),

  preview: signedInProcedure
    .meta({ cost: 5 })
    .input(shopFormatInput)
    .output(shopFormatPreviewSchema)
    .query(({ ctx, input, signal }) =>
      previewShopFormat(ctx.deps, ctx.actor, { ...input, signal }),
    ),
})
