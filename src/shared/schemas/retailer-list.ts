import { z } from 'zod'

import { MAX_RETAILERS_AT_ONCE } from '../constants'
import { boundedList } from './bounds'
import { idSchema } from './primitives'
import { addRetailerFormSchema, updateRetailerInput, visibilitySettingsSchema } from './retailer'

/** One retailer of a list that is added at once; without categories it sees all products. */
export const listedNewRetailerSchema = z.object({
  ...addRetailerFormSchema.omit({ password: true }).shape,
  syncFrequency: updateRetailerInput.shape.syncFrequency,
  categories: visibilitySettingsSchema.shape.categories,
})
export type ListedNewRetailer = z.infer<typeof listedNewRetailerSchema>

const AT_ONCE = {
  error: 'retailers must be a list',
  max: MAX_RETAILERS_AT_ONCE,
  tooMany: `At most ${MAX_RETAILERS_AT_ONCE} retailers can be added at once`,
}

export const checkRetailersInput = z.object({
  retailers: boundedList(listedNewRetailerSchema, AT_ONCE),
})

/** What keeps a list from being added; `place` is the retailer's index in the list. */
export const retailerListProblemsSchema = z.array(
  z.object({ place: z.number().int(), message: z.string() }),
)
export type RetailerListProblem = z.infer<typeof retailerListProblemsSchema>[number]

export const addRetailersInput = z.object({
  retailers: boundedList(
    listedNewRetailerSchema.extend({ password: addRetailerFormSchema.shape.password }),
    AT_ONCE,
  ),
  /** The group of all of them, besides the settings that the list gives one; null: none. */
  groupId: idSchema.nullish(),
})
export type AddRetailersInput = z.infer<typeof addRetailersInput>
