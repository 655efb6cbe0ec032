import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import {
  fileProfileInput,
  profileChoiceSchema,
  profilePreviewSchema,
} from '../../../../shared/schemas/file-profile'
import { idSchema } from '../../../../shared/schemas/primitives'
import { router, signedInProcedure } from '../../../trpc/init'
import { previewProfile, readProfile, saveProfile } from './profiles'

/** For the retailer itself, its supplier and administrators. */
export const profilesRouter = router({
  /** @param id of the retailer */
  get: signedInProcedure
    .meta({ cost: 2 })
    .input(z.object({ id: idSchema }))
    .output(profileChoiceSchema)
    .query(({ ctx, input }) => readProfile(ctx.deps, ctx.actor, input.id)),

  save: signedInProcedure
    .input(fileProfileInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await saveProfile(ctx.deps, ctx.actor, input)
      return { message: 'File format saved' }
    }),

  preview: signedInProcedure
    .meta({ cost: 5 })
    .input(fileProfileInput)
    .output(profilePreviewSchema)
    .query(({ ctx, input, signal }) => previewProfile(ctx.deps, ctx.actor, { ...input, signal })),
})
