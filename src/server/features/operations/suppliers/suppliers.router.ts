import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { retailerPageSchema } from '../../../../shared/schemas/retailer'
import {
  addRetailersInput,
  checkRetailersInput,
  retailerListProblemsSchema,
} from '../../../../shared/schemas/retailer-list'
import {
  companyProfileSchema,
  createSupplierInput,
  pageSupplierRetailersInput,
  pageSuppliersInput,
  supplierOverviewSchema,
  supplierPageSchema,
  updateCompanyProfileInput,
  updateSupplierInput,
} from '../../../../shared/schemas/supplier'
import { seededSuppliersSchema, seedSuppliersInput } from '../../../../shared/schemas/supplier-seed'
import { userSchema } from '../../../../shared/schemas/user'
import { selfOf } from '../../../domain/actor'
import { adminProcedure, limitCalls, procedureFor, router } from '../../../trpc/init'
import { toUser } from '../../people/accounts/accounts'
import { toCompanyProfile, updateCompanyProfile } from '../../people/accounts/company-profile'
import { knownRequester } from '../../people/accounts/passwords'
import { addRetailerList, checkRetailerList } from './retailer-list'
import { seedSuppliers } from './seeding'
import { getSupplier, pageSupplierRetailers, pageSuppliers } from './supplier-observation'
import { createSupplier, updateSupplier } from './suppliers'

const ownProcedure = procedureFor('SUPPLIER')

export const suppliersRouter = router({
  page: adminProcedure
    .meta({ cost: 2 })
    .input(pageSuppliersInput)
    .output(supplierPageSchema)
    .query(({ ctx, input }) => pageSuppliers(ctx.deps, input)),

  get: adminProcedure
    .input(byIdInput)
    .output(supplierOverviewSchema)
    .query(({ ctx, input }) => getSupplier(ctx.deps, input.id)),

  retailers: adminProcedure
    .meta({ cost: 2 })
    .input(pageSupplierRetailersInput)
    .output(retailerPageSchema)
    .query(({ ctx, input }) => pageSupplierRetailers(ctx.deps, input)),

  create: adminProcedure
    .meta({ cost: 5 })
    .input(createSupplierInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) =>
      toUser(await createSupplier(ctx.deps, ctx.actor, input, ctx.address)),
    ),

  seed: adminProcedure
    .meta({ cost: 5 })
    .input(seedSuppliersInput)
    .use(limitCalls('seedSuppliers'))
    .output(seededSuppliersSchema)
    .mutation(({ ctx, input }) =>
      seedSuppliers(ctx.deps, input.suppliers, knownRequester(selfOf(ctx.actor), ctx.address)),
    ),

  update: adminProcedure
    .input(updateSupplierInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => toUser(await updateSupplier(ctx.deps, input))),

  profile: ownProcedure
    .output(companyProfileSchema)
    .query(({ ctx }) => toCompanyProfile(ctx.actor)),

  updateProfile: ownProcedure
    .meta({ area: 'company' })
    .input(updateCompanyProfileInput)
    .output(companyProfileSchema)
    .mutation(({ ctx, input }) => updateCompanyProfile(ctx.deps, ctx.actor, input)),

  /** A mutation, although it changes nothing, because a list is too long for a URL. */
  checkRetailers: ownProcedure
    .meta({ cost: 5 })
    .input(checkRetailersInput)
    .use(limitCalls('checkRetailers'))
    .output(retailerListProblemsSchema)
    .mutation(({ ctx, input }) => checkRetailerList(ctx.deps, ctx.actor, input.retailers)),

  addRetailers: ownProcedure
    .meta({ cost: 5 })
    .input(addRetailersInput)
    .use(limitCalls('addRetailers'))
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await addRetailerList(ctx.deps, ctx.actor, input, ctx.address)
      return { message: 'Retailers added' }
    }),
})
