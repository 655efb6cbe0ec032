import { z } from 'zod'

import {
  CATEGORY_PATH_MAX_LENGTH,
  CONNECTION_TYPES,
  FILE_FORMATS,
  MAX_RETAILERS_AT_ONCE,
  READING_STATES,
  RETAILER_SORT_COLUMNS,
} from '../constants'
import { boundedList } from './bounds'
import { usableConnectionTypeSchema, usableFileFormatSchema } from './connection'
import { pageInput, pageSchema } from './page'
import {
  idInQuery,
  idSchema,
  instantSchema,
  nameSchema,
  storeUrlSchema,
  syncFrequencySchema,
} from './primitives'
import { accountFields } from './user'

/** The maximum JSON size of a retailer's categories, as much as a request body can contain. */
const MAX_BYTES = 256 * 1024

/** The rows that a retailer may see: docs/rules.md#what-a-retailer-sees */
export const visibilitySettingsSchema = z.object({
  allProducts: z.boolean({ error: 'allProducts must be true or false' }),
  categories: boundedList(
    z.string().trim().min(1, 'A category has no name').max(CATEGORY_PATH_MAX_LENGTH),
    {
      error: 'categories must be a list of names',
      max: 10_000,
      tooMany: 'At most 10000 categories can be chosen',
    },
  ).refine(
    (categories) => new TextEncoder().encode(JSON.stringify(categories)).length <= MAX_BYTES,
    'The names of the chosen categories are too long together',
  ),
})
export type VisibilitySettings = z.infer<typeof visibilitySettingsSchema>

export const retailerSchema = z.object({
  id: idSchema,
  userId: idSchema,
  username: z.string(),
  supplierId: idSchema,
  supplierName: z.string().nullable(),
  storeName: z.string().nullable(),
  storeUrl: z.string().nullable(),
  connectionType: z.enum(CONNECTION_TYPES),
  fileFormat: z.enum(FILE_FORMATS),
  syncFrequency: z.number().int(),
  visibilitySettings: visibilitySettingsSchema,
  createdAt: instantSchema,
})
export type Retailer = z.infer<typeof retailerSchema>

/** Which of its retailers a login means; the first without it. */
export const ownRetailerInput = z.object({ id: idSchema.optional() }).optional()

/** The retailer of a login, with what it is to each of its suppliers, in the order in which they came. */
export const ownRetailerSchema = retailerSchema.extend({
  relations: z.array(retailerSchema.pick({ id: true, supplierName: true, storeName: true })),
})
export type OwnRetailer = z.infer<typeof ownRetailerSchema>

/** A retailer in a list page: without its categories, which may be thousands. */
const listedRetailerSchema = retailerSchema.omit({ visibilitySettings: true })
export type ListedRetailer = z.infer<typeof listedRetailerSchema>

/** The settings of a retailer; the inputs and forms derive from them. */
export const retailerFields = z.object({
  storeName: nameSchema('Store name'),
  storeUrl: storeUrlSchema,
  visibilitySettings: visibilitySettingsSchema,
  syncFrequency: syncFrequencySchema,
  connectionType: usableConnectionTypeSchema,
  fileFormat: usableFileFormatSchema,
})

/** A store's details in a form, where an empty text means no address. */
export const storeDetailsFormSchema = retailerFields.pick({ storeName: true, storeUrl: true })
export type StoreDetailsForm = z.infer<typeof storeDetailsFormSchema>

const storeDetails = storeDetailsFormSchema.extend({ storeUrl: storeUrlSchema.nullish() })

export const createRetailerInput = z.object({
  userId: idSchema,
  supplierId: idSchema.nullish(),
  ...storeDetails.shape,
  visibilitySettings: visibilitySettingsSchema.default({ allProducts: true, categories: [] }),
  /** The group whose settings it has, instead of those given; null: none. */
  groupId: idSchema.nullish(),
})
export type CreateRetailerInput = z.infer<typeof createRetailerInput>

export const updateRetailerInput = z.object({
  id: idSchema,
  ...retailerFields.omit({ storeName: true, storeUrl: true }).partial().shape,
})
export type UpdateRetailerInput = z.infer<typeof updateRetailerInput>

/** Ids of retailers for one call. */
const retailerIds = boundedList(idSchema, {
  error: 'ids must be a list',
  max: MAX_RETAILERS_AT_ONCE,
  tooMany: `At most ${MAX_RETAILERS_AT_ONCE} retailers can be chosen at once`,
})

/** The same settings for several retailers; what is left out stays as it is. */
export const updateRetailersInput = z.object({
  ids: retailerIds,
  ...retailerFields.pick({ visibilitySettings: true, syncFrequency: true }).partial().shape,
})
export type UpdateRetailersInput = z.infer<typeof updateRetailersInput>

export const retailerUsageInput = z.object({ ids: retailerIds })

/** How a retailer uses its file. */
export const retailerUsageSchema = z.object({
  id: idSchema,
  /** Of the published file; null where nothing is published. */
  visibleRows: z.number().int().nullable(),
  /** When it last read its file, also without a change; null: never. */
  lastPull: instantSchema.nullable(),
  /** The program that did, such as `curl`. */
  client: z.string().nullable(),
  /** Today and the six days before, in UTC. */
  pullsIn7Days: z.number().int(),
  /** Versions published since the one that it read last; null when it has never read one. */
  versionsBehind: z.number().int().nullable(),
  /** Whether it has stopped reading its file. */
  isSilent: z.boolean(),
  /** Whether a destination of its file is paused. */
  isDeliveryPaused: z.boolean(),
})
export type RetailerUsage = z.infer<typeof retailerUsageSchema>

/** The input for a store's details, both from its supplier and from the retailer itself. */
export const storeDetailsInput = z.object({ id: idSchema, ...storeDetails.shape })
export type StoreDetailsInput = z.infer<typeof storeDetailsInput>

export const deliveryPreferencesInput = z.object({
  id: idSchema,
  ...retailerFields.pick({ connectionType: true, fileFormat: true }).shape,
})
export type DeliveryPreferencesInput = z.infer<typeof deliveryPreferencesInput>

/** The Add New Retailer dialog: the login's fields and the store's name. */
export const addRetailerFormSchema = z.object({
  ...accountFields.pick({ username: true, password: true, contactEmail: true }).shape,
  storeName: retailerFields.shape.storeName,
})
export type AddRetailerForm = z.infer<typeof addRetailerFormSchema>

/** How many of a supplier's retailers read in which way; one may be counted in several. */
export const readersSchema = z.object({
  total: z.number().int(),
  day: z.number().int(),
  behind: z.number().int(),
  silent: z.number().int(),
  never: z.number().int(),
  paused: z.number().int(),
})
export type Readers = z.infer<typeof readersSchema>

export const pageRetailersInput = pageInput(RETAILER_SORT_COLUMNS).extend({
  /** Only the retailers that read so. */
  reading: z.enum(READING_STATES).optional(),
})
export const retailersExportQuery = pageRetailersInput
  .pick({ q: true, sort: true, reading: true })
  .extend({
    /** For administrators: whose; otherwise those of all suppliers. */
    supplierId: idInQuery,
  })
export const retailerPageSchema = pageSchema(listedRetailerSchema)
