import {
  companyProfileSchema,
  createSupplierInput,
  pageSuppliersInput,
  supplierPageSchema,
  updateCompanyProfileInput,
  updateSupplierInput,
} from '../../../shared/schemas/supplier'
import { userSchema } from '../../../shared/schemas/user'
import { procedureFor, router } from '../../trpc/init'
import { toUser } from '../accounts/accounts'
import { toCompanyProfile, updateCompanyProfile } from './company-profile'
import { createSupplier, pageSuppliers, updateSupplier } from './suppliers'

const adminProcedure = procedureFor('SUPER_ADMIN')
const ownProcedure = procedureFor('SUPPLIER')

export const suppliersRouter = router({
  page: adminProcedure
    .meta({ cost: 2 })
    .input(pageSuppliersInput)
    .output(supplierPageSchema)
    .query(({ ctx, input }) => pageSuppliers(ctx.deps, input)),

  create: adminProcedure
    .meta({ cost: 5 })
    .input(createSupplierInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) =>
      toUser(await createSupplier(ctx.deps, ctx.actor, input, ctx.address)),
    ),

  update: adminProcedure
    .input(updateSupplierInput)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => toUser(await updateSupplier(ctx.deps, input))),

  profile: ownProcedure
    .output(companyProfileSchema)
    .query(({ ctx }) => toCompanyProfile(ctx.actor)),

  updateProfile: ownProcedure
    .input(updateCompanyProfileInput)
    .output(companyProfileSchema)
    .mutation(({ ctx, input }) => updateCompanyProfile(ctx.deps, ctx.actor, input)),
})
