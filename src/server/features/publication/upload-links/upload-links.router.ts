import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  newUploadLinkSchema,
  uploadLinkSchema,
  uploadPageInput,
  uploadPageSchema,
} from '../../../../shared/schemas/upload-link'
import { publicProcedure, router, supplierProcedure } from '../../../trpc/init'
import { createUploadLink, listUploadLinks, revokeUploadLinks } from './upload-links'
import { readUploadPage } from './upload-page'

export const uploadLinksRouter = router({
  list: supplierProcedure
    .input(byIdInput)
    .output(uploadLinkSchema.array())
    .query(({ ctx, input }) => listUploadLinks(ctx.deps, ctx.actor, input.id)),

  create: supplierProcedure
    .input(byIdInput)
    .output(newUploadLinkSchema)
    .mutation(({ ctx, input }) => createUploadLink(ctx.deps, ctx.actor, input.id)),

  revoke: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeUploadLinks(ctx.deps, ctx.actor, input.id)
      return { message: 'Upload link revoked' }
    }),

  /** For whoever has the link. */
  open: publicProcedure
    .meta({ cost: 2 })
    .input(uploadPageInput)
    .output(uploadPageSchema)
    .query(({ ctx, input }) => readUploadPage(ctx.deps, input.token)),
})
