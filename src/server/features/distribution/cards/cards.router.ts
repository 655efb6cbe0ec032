import { cardSchema, saveCardInput } from '../../../../shared/schemas/directory'
import { procedureFor, router } from '../../../trpc/init'
import { getCard, saveCard } from './cards'

/** What a supplier publishes of itself. */
export const cardsRouter = router({
  get: procedureFor('SUPPLIER')
    .output(cardSchema)
    .query(({ ctx }) => getCard(ctx.deps, ctx.actor)),

  save: procedureFor('SUPPLIER')
    .meta({ area: 'company', cost: 5 })
    .input(saveCardInput)
    .output(cardSchema)
    .mutation(({ ctx, input }) => saveCard(ctx.deps, ctx.actor, input)),
})
