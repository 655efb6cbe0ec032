import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, SUPPLIER_SORT_COLUMNS } from '../constants'
import { pageInput, pageSchema } from './page'
import { emailSchema, idSchema, nullWhenEmpty, phoneSchema, websiteSchema } from './primitives'
import { accountFields, userSchema } from './user'

export const createSupplierInput = accountFields.extend({
  maxRetailers: accountFields.shape.maxRetailers.default(DEFAULT_MAX_RETAILERS),
})
export type CreateSupplierInput = z.infer<typeof createSupplierInput>

/** The fields of a supplier that can be changed: all but its credentials. */
export const supplierDetailsSchema = accountFields.omit({ username: true, password: true })

/** PATCH /api/suppliers/{id}: any subset; the table's switch sends `isActive` alone. */
export const updateSupplierInput = z.object({
  id: idSchema,
  ...supplierDetailsSchema.partial().shape,
  isActive: z.boolean({ error: 'isActive must be true or false' }).optional(),
})
export type UpdateSupplierInput = z.infer<typeof updateSupplierInput>

export const pageSuppliersInput = pageInput(SUPPLIER_SORT_COLUMNS)
export const supplierPageSchema = pageSchema(userSchema)

/** What a supplier tells its retailers about itself: docs/rules.md#suppliers */
export const companyProfileSchema = z.object({
  companyName: z.string().nullable(),
  publicEmail: z.string().nullable(),
  publicPhone: z.string().nullable(),
  publicWebsite: z.string().nullable(),
})
export type CompanyProfile = z.infer<typeof companyProfileSchema>

/** The profile as its supplier saves it: only the name is required. */
export const updateCompanyProfileInput = z.object({
  companyName: accountFields.shape.companyName,
  publicEmail: z.preprocess(nullWhenEmpty, emailSchema.nullable()),
  publicPhone: z.preprocess(nullWhenEmpty, phoneSchema.nullable()),
  publicWebsite: z.preprocess(nullWhenEmpty, websiteSchema.nullable()),
})
export type UpdateCompanyProfileInput = z.infer<typeof updateCompanyProfileInput>
