import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, RETAILER_SORT_COLUMNS, SUPPLIER_SORT_COLUMNS } from '../constants'
import { connectionSchema } from './connection'
import { pageInput, pageSchema } from './page'
import { idSchema, instantSchema } from './primitives'
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

/** A supplier as an administrator sees it, with its retailers in use and its connection's health. */
const observedSupplierSchema = userSchema.extend({
  retailerCount: z.number().int(),
  /** When its published file appeared; null when it has none. */
  publishedAt: instantSchema.nullable(),
})

/** The health of a supplier's connection. While the supplier is inactive, its status is `paused`. */
const connectionHealthSchema = connectionSchema.pick({
  id: true,
  name: true,
  status: true,
  lastSync: true,
  lastError: true,
  consecutiveFailures: true,
})

const listedSupplierSchema = observedSupplierSchema.extend({
  connection: connectionHealthSchema.nullable(),
})
export type ListedSupplier = z.infer<typeof listedSupplierSchema>

export const supplierPageSchema = pageSchema(listedSupplierSchema)

export const supplierOverviewSchema = observedSupplierSchema.extend({
  connection: connectionSchema.nullable(),
})
export type SupplierOverview = z.infer<typeof supplierOverviewSchema>

export const pageSupplierRetailersInput = pageInput(RETAILER_SORT_COLUMNS).extend({ id: idSchema })
