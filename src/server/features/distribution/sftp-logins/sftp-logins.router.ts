import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  changedSftpLoginSchema,
  changeSftpLoginInput,
  createSftpLoginInput,
  sftpAccessSchema,
} from '../../../../shared/schemas/sftp-login'
import { router, signedInProcedure, supplierProcedure } from '../../../trpc/init'
import { changeSftpLogin, createSftpLogin, readSftpAccess, revokeSftpLogin } from './sftp-logins'

const REVOKED = { message: 'SFTP login revoked' }

/** A connection's login is for its supplier, a retailer's also for itself; both for administrators. */
export const sftpLoginsRouter = router({
  ofConnection: supplierProcedure
    .input(byIdInput)
    .output(sftpAccessSchema)
    .query(({ ctx, input }) => readSftpAccess(ctx.deps, ctx.actor, 'connection', input.id)),

  createOfConnection: supplierProcedure
    .input(createSftpLoginInput)
    .output(changedSftpLoginSchema)
    .mutation(({ ctx, input }) => createSftpLogin(ctx.deps, ctx.actor, 'connection', input)),

  changeOfConnection: supplierProcedure
    .input(changeSftpLoginInput)
    .output(changedSftpLoginSchema)
    .mutation(({ ctx, input }) => changeSftpLogin(ctx.deps, ctx.actor, 'connection', input)),

  revokeOfConnection: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeSftpLogin(ctx.deps, ctx.actor, 'connection', input.id)
      return REVOKED
    }),

  ofRetailer: signedInProcedure
    .input(byIdInput)
    .output(sftpAccessSchema)
    .query(({ ctx, input }) => readSftpAccess(ctx.deps, ctx.actor, 'retailer', input.id)),

  createOfRetailer: signedInProcedure
    .meta({ area: 'addresses' })
    .input(createSftpLoginInput)
    .output(changedSftpLoginSchema)
    .mutation(({ ctx, input }) => createSftpLogin(ctx.deps, ctx.actor, 'retailer', input)),

  changeOfRetailer: signedInProcedure
    .meta({ area: 'addresses' })
    .input(changeSftpLoginInput)
    .output(changedSftpLoginSchema)
    .mutation(({ ctx, input }) => changeSftpLogin(ctx.deps, ctx.actor, 'retailer', input)),

  revokeOfRetailer: signedInProcedure
    .meta({ area: 'addresses' })
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await revokeSftpLogin(ctx.deps, ctx.actor, 'retailer', input.id)
      return REVOKED
    }),
})
