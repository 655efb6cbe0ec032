import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, SUPPLIER_SORT_COLUMNS } from '../constants'
import { pageInput, pageSchema } from './page'
import {
  emailSchema,
  idSchema,
  maxRetailersSchema,
  nameSchema,
  newPasswordSchema,
  usernameSchema,
} from './primitives'
import { userSchema } from './user'

export const createSupplierInput = z.object({
  username: usernameSchema,
  password: newPasswordSchema,
  companyName: nameSchema('Company name'),
  contactEmail: emailSchema,
  maxRetailers: maxRetailersSchema.default(DEFAULT_MAX_RETAILERS),
})
export type CreateSupplierInput = z.infer<typeof createSupplierInput>

/** PATCH /api/suppliers/{id}: any subset; the table's switch sends `isActive` alone. */
export const updateSupplierInput = z.object({
  id: idSchema,
  companyName: nameSchema('Company name').optional(),
  contactEmail: emailSchema.optional(),
  maxRetailers: maxRetailersSchema.optional(),
  isActive: z.boolean({ error: 'isActive must be true or false' }).optional(),
})
export type UpdateSupplierInput = z.infer<typeof updateSupplierInput>

export const pageSuppliersInput = pageInput(SUPPLIER_SORT_COLUMNS)
export const supplierPageSchema = pageSchema(userSchema)
