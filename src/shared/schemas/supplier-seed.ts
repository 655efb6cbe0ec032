import { z } from 'zod'

import { MAX_SEEDED_ACCOUNTS } from '../constants'
import { boundedList } from './bounds'
import {
  emailSchema,
  maxRetailersSchema,
  nameSchema,
  newPasswordSchema,
  sourceUrlSchema,
  storeUrlSchema,
  syncFrequencySchema,
  usernameSchema,
} from './primitives'
import { visibilitySettingsSchema } from './retailer'
import { sourceAuthInput } from './source-auth'
import { createSupplierInput } from './supplier'
import { transferInput } from './transfer'
import { updateSettingsInput } from './updates'

/** Strict, so that a misspelt field is not taken for one that was left out. */
const seedRetailerSchema = z.strictObject({
  username: usernameSchema,
  password: newPasswordSchema,
  contactEmail: emailSchema.nullish(),
  storeName: nameSchema('Store name'),
  storeUrl: storeUrlSchema.nullish(),
  /** The categories that the retailer may see; all products when left out. */
  categories: visibilitySettingsSchema.shape.categories.optional(),
})

/**
 * A supplier with its connection and retailers. Passwords apply to new accounts only. A field that
 * is left out gets its default on creation and keeps its value on an update.
 */
export const supplierSeedSchema = createSupplierInput.strict().extend({
  maxRetailers: maxRetailersSchema.optional(),
  connection: z
    .strictObject({
      name: nameSchema('Connection name').optional(),
      url: sourceUrlSchema,
      /** Credentials for the source; kept if it is left out. */
      auth: sourceAuthInput.optional(),
      /** How files are fetched from a server of SFTP or FTP; kept if it is left out. */
      transfer: transferInput.optional(),
      syncFrequency: syncFrequencySchema.optional(),
      updates: updateSettingsInput.omit({ nextIsFull: true }).nullable().optional(),
    })
    .optional(),
  retailers: z.array(seedRetailerSchema).default([]),
})
export type SupplierSeed = z.infer<typeof supplierSeedSchema>

export const seedResultSchema = z.enum(['created', 'updated', 'unchanged'])
export type SeedResult = z.infer<typeof seedResultSchema>

const TOO_MANY = `At most ${MAX_SEEDED_ACCOUNTS} suppliers and retailers can be written at once`

/** Suppliers of one call: so many that their passwords are hashed while a caller waits. */
export const seedSuppliersInput = z.object({
  suppliers: boundedList(supplierSeedSchema, {
    error: 'suppliers must be a list',
    max: MAX_SEEDED_ACCOUNTS,
    tooMany: TOO_MANY,
  }).refine((seeds) => countAccounts(seeds) <= MAX_SEEDED_ACCOUNTS, TOO_MANY),
})

/** The suppliers, and their retailers. */
export const countAccounts = (seeds: readonly SupplierSeed[]) =>
  seeds.reduce((sum, { retailers }) => sum + 1 + retailers.length, 0)

/** What was done with each supplier; with problems, each of the supplier at `place`, nothing was written. */
export const seededSuppliersSchema = z.object({
  results: z.array(seedResultSchema),
  problems: z.array(z.object({ place: z.number().int(), message: z.string() })),
})
export type SeededSuppliers = z.infer<typeof seededSuppliersSchema>
