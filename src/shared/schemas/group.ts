import { z } from 'zod'

import {
  DEFAULT_RETAILER_SYNC_FREQUENCY,
  GROUP_SETTINGS,
  MAX_GROUPS,
  MAX_RETAILERS_AT_ONCE,
} from '../constants'
import { boundedList } from './bounds'
import { retailerPriceRulesSchema } from './price-rules'
import { idSchema, instantSchema, nameSchema, syncFrequencySchema } from './primitives'
import { visibilitySettingsSchema } from './retailer'
import { chosenShopFormatSchema, shopFormatSchema } from './shop-format'

/** What all members of a group have, as far as they have nothing of their own. */
const groupSettings = {
  visibilitySettings: visibilitySettingsSchema,
  syncFrequency: syncFrequencySchema,
  profile: chosenShopFormatSchema,
  /** How the prices in the files of members are made; null: they are those of the file. */
  priceRules: retailerPriceRulesSchema.nullable(),
}

const groupFields = z.object({
  name: nameSchema('Name'),
  isForNewcomers: z.boolean({ error: 'isForNewcomers must be true or false' }),
  ...groupSettings,
})

export const groupSchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  name: z.string(),
  /** Whether retailers wait in it whose request is accepted, until they are moved. */
  isForNewcomers: z.boolean(),
  visibilitySettings: visibilitySettingsSchema,
  syncFrequency: z.number().int(),
  profile: shopFormatSchema,
  priceRules: retailerPriceRulesSchema.nullable(),
  memberCount: z.number().int(),
  createdAt: instantSchema,
})
export type RetailerGroup = z.infer<typeof groupSchema>

/** In a list: without the categories, which may be thousands. */
export const listedGroupSchema = groupSchema
  .omit({ visibilitySettings: true, profile: true, priceRules: true })
  .extend({
    allProducts: z.boolean(),
    formatKind: shopFormatSchema.shape.kind,
    /** Members that have a setting of their own. */
    deviatingCount: z.number().int(),
  })
export type ListedGroup = z.infer<typeof listedGroupSchema>

export const groupListSchema = z.array(listedGroupSchema).max(MAX_GROUPS)

export const createGroupInput = z.object({
  supplierId: idSchema.nullish(),
  name: groupFields.shape.name,
  isForNewcomers: groupFields.shape.isForNewcomers.default(false),
  visibilitySettings: visibilitySettingsSchema.default({ allProducts: true, categories: [] }),
  syncFrequency: syncFrequencySchema.default(DEFAULT_RETAILER_SYNC_FREQUENCY),
  profile: chosenShopFormatSchema.optional(),
  priceRules: retailerPriceRulesSchema.nullish(),
})
export type CreateGroupInput = z.infer<typeof createGroupInput>

export const updateGroupInput = z.object({ id: idSchema, ...groupFields.partial().shape })
export type UpdateGroupInput = z.infer<typeof updateGroupInput>

const retailerIds = boundedList(idSchema, {
  error: 'ids must be a list',
  max: MAX_RETAILERS_AT_ONCE,
  tooMany: `At most ${MAX_RETAILERS_AT_ONCE} retailers can be chosen at once`,
})

/** null: they leave their groups, and keep the settings that they have. */
export const assignGroupInput = z.object({ ids: retailerIds, groupId: idSchema.nullable() })
export type AssignGroupInput = z.infer<typeof assignGroupInput>

export const membershipsInput = z.object({ ids: retailerIds })

/** The settings of a retailer that are to be those of its group again. */
export const followGroupInput = z.object({
  id: idSchema,
  settings: boundedList(z.enum(GROUP_SETTINGS, { error: 'This is no setting of a group' }), {
    error: 'settings must be a list',
    max: GROUP_SETTINGS.length,
    tooMany: `A group has ${GROUP_SETTINGS.length} settings`,
  }),
})
export type FollowGroupInput = z.infer<typeof followGroupInput>

/** The group of a retailer, and which settings are the retailer's own. */
export const membershipSchema = z.object({
  retailerId: idSchema,
  /** null: in none, so that all settings are its own. */
  groupId: idSchema.nullable(),
  groupName: z.string().nullable(),
  own: z.array(z.enum(GROUP_SETTINGS)),
})
export type Membership = z.infer<typeof membershipSchema>
