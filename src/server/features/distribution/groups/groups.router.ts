import { z } from 'zod'

import { messageSchema } from '../../../../shared/schemas/file'
import {
  assignGroupInput,
  createGroupInput,
  followGroupInput,
  groupListSchema,
  groupSchema,
  membershipSchema,
  membershipsInput,
  updateGroupInput,
} from '../../../../shared/schemas/group'
import { priceColumnsSchema } from '../../../../shared/schemas/price-rules'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { adminProcedure, procedureFor, router, supplierProcedure } from '../../../trpc/init'
import { readPriceColumns } from '../retailers/price-rules'
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups'
import { assignGroup, followGroup, getMembership, listMemberships } from './members'

/** Groups of a supplier's retailers. Retailers are not told in which one they are. */
export const groupsRouter = router({
  list: procedureFor('SUPPLIER')
    .meta({ cost: 2 })
    .output(groupListSchema)
    .query(({ ctx }) => listGroups(ctx.deps, ctx.actor)),

  /** Which columns of the supplier's file price rules read and write. */
  priceColumns: procedureFor('SUPPLIER')
    .output(priceColumnsSchema)
    .query(({ ctx }) => readPriceColumns(ctx.deps, ctx.actor.id)),

  /** @param id of the supplier */
  ofSupplier: adminProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(groupListSchema)
    .query(({ ctx, input }) => listGroups(ctx.deps, ctx.actor, input.id)),

  get: supplierProcedure
    .input(byIdInput)
    .output(groupSchema)
    .query(({ ctx, input }) => getGroup(ctx.deps, ctx.actor, input.id)),

  create: supplierProcedure
    .input(createGroupInput)
    .output(groupSchema)
    .mutation(({ ctx, input }) => createGroup(ctx.deps, ctx.actor, input)),

  update: supplierProcedure
    .meta({ cost: 5 })
    .input(updateGroupInput)
    .output(groupSchema)
    .mutation(({ ctx, input }) => updateGroup(ctx.deps, ctx.actor, input)),

  delete: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteGroup(ctx.deps, ctx.actor, input.id)
      return { message: 'Group deleted' }
    }),

  assign: supplierProcedure
    .meta({ cost: 5 })
    .input(assignGroupInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await assignGroup(ctx.deps, ctx.actor, input)
      return { message: 'Retailers assigned' }
    }),

  /** @param id of the retailer */
  follow: supplierProcedure
    .input(followGroupInput)
    .output(membershipSchema)
    .mutation(({ ctx, input }) => followGroup(ctx.deps, ctx.actor, input)),

  /** @param id of the retailer */
  ofRetailer: supplierProcedure
    .input(byIdInput)
    .output(membershipSchema)
    .query(({ ctx, input }) => getMembership(ctx.deps, ctx.actor, input.id)),

  memberships: supplierProcedure
    .meta({ cost: 2 })
    .input(membershipsInput)
    .output(z.array(membershipSchema))
    .query(({ ctx, input }) => listMemberships(ctx.deps, ctx.actor, input.ids)),
})
