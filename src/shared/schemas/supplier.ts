import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, RETAILER_SORT_COLUMNS, SUPPLIER_SORT_COLUMNS } from '../constants'
import { DESTINATION_KINDS } from '../destinations'
import { connectionSchema } from './connection'
import { pageInput, pageSchema } from './page'
import {
  emailSchema,
  idSchema,
  instantSchema,
  nullWhenEmpty,
  phoneSchema,
  websiteSchema,
} from './primitives'
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
export const suppliersExportQuery = pageSuppliersInput.pick({ q: true, sort: true })

/** A supplier as an administrator sees it, with its retailers in use and its connection's health. */
const observedSupplierSchema = userSchema.extend({
  retailerCount: z.number().int(),
  /** When its published file appeared; null when it has none. */
  publishedAt: instantSchema.nullable(),
  /** How many destinations of its retailers are paused: nothing is sent there any more. */
  pausedDestinationCount: z.number().int(),
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

/** A destination of a retailer to which nothing is sent any more, and why. */
const pausedDestinationSchema = z.object({
  id: idSchema,
  name: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  /** Of the retailer's login. */
  userId: idSchema,
  storeName: z.string(),
  pausedAt: instantSchema,
  reason: z.string().nullable(),
})
export type PausedDestination = z.infer<typeof pausedDestinationSchema>

export const supplierOverviewSchema = observedSupplierSchema.extend({
  /** The latest of them. */
  pausedDestinations: pausedDestinationSchema.array(),
  connection: connectionSchema.nullable(),
  /** When it is to be deleted. */
  deletionAt: instantSchema.nullable(),
})
export type SupplierOverview = z.infer<typeof supplierOverviewSchema>

export const pageSupplierRetailersInput = pageInput(RETAILER_SORT_COLUMNS).extend({ id: idSchema })

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
