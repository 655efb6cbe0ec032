import {
  apiKeySchema,
  createApiKeyInput,
  endApiKeyInput,
  listApiKeysInput,
  newApiKeySchema,
} from '../../../../shared/schemas/api-key'
import { messageSchema } from '../../../../shared/schemas/file'
import { router, signedInProcedure } from '../../../trpc/init'
import { createApiKey, endApiKey, listApiKeys } from './api-keys'

const ownProcedure = signedInProcedure.meta({ area: 'own' })

/** Keys by which programs call: the caller's own, or those of a person whom an owner or an administrator names. */
export const apiKeysRouter = router({
  list: signedInProcedure
    .input(listApiKeysInput)
    .output(apiKeySchema.array())
    .query(({ ctx, input }) => listApiKeys(ctx.deps, ctx.actor, input)),

  create: ownProcedure
    .input(createApiKeyInput)
    .output(newApiKeySchema)
    .mutation(({ ctx, input }) => createApiKey(ctx.deps, ctx.actor, input, ctx.session.idHash)),

  end: ownProcedure
    .input(endApiKeyInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await endApiKey(ctx.deps, ctx.actor, input)
      return { message: 'Key ended' }
    }),
})
