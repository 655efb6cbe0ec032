import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, SUPPLIER_SORT_COLUMNS } from '../constants'
import { pageInput, pageSchema } from './page'
import { idSchema } from './primitives'
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
