import { messageSchema } from '../../../../shared/schemas/file'
import {
  acceptInvitationInput,
  acceptWithGoogleInput,
  invitationListSchema,
  invitePersonInput,
  inviteRetailerInput,
  inviteSupplierInput,
  listInvitationsInput,
  listInvitedPeopleInput,
  newInvitationSchema,
  newRelationSchema,
  openedInvitationSchema,
  openInvitationInput,
  renewInvitationInput,
} from '../../../../shared/schemas/invitation'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { userSchema } from '../../../../shared/schemas/user'
import {
  adminProcedure,
  procedureFor,
  publicProcedure,
  router,
  signedInProcedure,
  supplierProcedure,
} from '../../../trpc/init'
import { toCurrentUser } from '../accounts/accounts'
import { takeGoogleIdentity } from '../accounts/google-sign-in'
import { acceptWithLogin } from './accept-with-login'
import { acceptInvitation, acceptWithGoogle, openInvitation } from './acceptance'
import {
  invitePerson,
  inviteRetailer,
  inviteSupplier,
  listInvitations,
  listInvitedPeople,
  renewInvitation,
  withdrawInvitation,
} from './invitations'

const ownerProcedure = signedInProcedure.meta({ area: 'company' })

export const invitationsRouter = router({
  list: supplierProcedure
    .meta({ cost: 2 })
    .input(listInvitationsInput)
    .output(invitationListSchema)
    .query(({ ctx, input }) => listInvitations(ctx.deps, ctx.actor, input.supplierId)),

  inviteRetailer: supplierProcedure
    .input(inviteRetailerInput)
    .output(newInvitationSchema)
    .mutation(({ ctx, input }) => inviteRetailer(ctx.deps, ctx.actor, input)),

  inviteSupplier: adminProcedure
    .input(inviteSupplierInput)
    .output(newInvitationSchema)
    .mutation(({ ctx, input }) => inviteSupplier(ctx.deps, ctx.actor, input)),

  /** Who is invited to the people of a company; the calls about them are for its owners. */
  people: ownerProcedure
    .meta({ cost: 2 })
    .input(listInvitedPeopleInput)
    .output(invitationListSchema)
    .query(({ ctx, input }) => listInvitedPeople(ctx.deps, ctx.actor, input.companyId)),

  invitePerson: ownerProcedure
    .input(invitePersonInput)
    .output(newInvitationSchema)
    .mutation(({ ctx, input }) => invitePerson(ctx.deps, ctx.actor, input)),

  renewPerson: ownerProcedure
    .input(renewInvitationInput)
    .output(newInvitationSchema)
    .mutation(({ ctx, input }) => renewInvitation(ctx.deps, ctx.actor, input, 'people')),

  withdrawPerson: ownerProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await withdrawInvitation(ctx.deps, ctx.actor, input.id, 'people')
      return { message: 'Invitation withdrawn' }
    }),

  /** Makes a new link, and sends or shows it. */
  renew: supplierProcedure
    .input(renewInvitationInput)
    .output(newInvitationSchema)
    .mutation(({ ctx, input }) => renewInvitation(ctx.deps, ctx.actor, input)),

  withdraw: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await withdrawInvitation(ctx.deps, ctx.actor, input.id)
      return { message: 'Invitation withdrawn' }
    }),

  /** For whoever has the link. A mutation, although it changes nothing: proxies log the input of queries. */
  open: publicProcedure
    .meta({ cost: 2 })
    .input(openInvitationInput)
    .output(openedInvitationSchema)
    .mutation(({ ctx, input }) => openInvitation(ctx.deps, input.token, ctx.address)),

  accept: publicProcedure
    .meta({ cost: 5 })
    .input(acceptInvitationInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const user = await acceptInvitation(ctx.deps, input, ctx.address)
      await ctx.session.signIn(user)
      return toCurrentUser(ctx.deps, user)
    }),

  /** For an owner of a retailer who is signed in: the company gets another supplier. */
  acceptWithLogin: procedureFor('RETAILER')
    .meta({ cost: 5, area: 'company' })
    .input(openInvitationInput)
    .output(newRelationSchema)
    .mutation(async ({ ctx, input }) => {
      const from = { sessionIdHash: ctx.session.idHash, address: ctx.address }
      return { retailerId: await acceptWithLogin(ctx.deps, ctx.actor, input.token, from) }
    }),

  acceptWithGoogle: publicProcedure
    .meta({ cost: 2 })
    .use(async ({ ctx, next }) => {
      const identity = await takeGoogleIdentity(ctx.deps, ctx.session.idHash)
      return next({ ctx: { ...ctx, identity } })
    })
    .input(acceptWithGoogleInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      const user = await acceptWithGoogle(ctx.deps, input, ctx.identity, ctx.address)
      await ctx.session.signIn(user, { isByProvider: true })
      return toCurrentUser(ctx.deps, user)
    }),
})
