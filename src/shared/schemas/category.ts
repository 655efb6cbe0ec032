import { z } from 'zod'

import { SEARCH_MAX_LENGTH } from '../constants'
import { categoryReadingSchema } from './file'
import { idSchema } from './primitives'
import { visibilitySettingsSchema } from './retailer'

/** A category's index in the depth-first order of its file's tree. */
const placeSchema = z.number().int().min(0)

const categoryNodeSchema = z.object({
  place: placeSchema,
  /** The index after its last descendant. */
  end: placeSchema,
  parent: placeSchema.nullable(),
  /** 1 for the top level. */
  level: z.number().int(),
  label: z.string(),
  /** Rows in this category and all below it. */
  rows: z.number().int(),
  /** Position among its siblings, from 1. */
  position: z.number().int(),
  siblingCount: z.number().int(),
})
export type CategoryNode = z.infer<typeof categoryNodeSchema>

/** A page of categories, in the order of the tree; `count` is the total. */
export const categoryPageSchema = z.object({
  nodes: z.array(categoryNodeSchema),
  count: z.number().int(),
})
export type CategoryPage = z.infer<typeof categoryPageSchema>

/** The categories of a published file, from which a retailer's rows are chosen. */
export const fileCategoriesSchema = z.object({
  /** The file of this tree. Further calls name it, so that all results belong to the same tree. */
  fileName: z.string(),
  /** null: the file has no category column, so rows cannot be filtered. */
  reading: categoryReadingSchema.nullable(),
  rowCount: z.number().int(),
  /** Categories on all levels. */
  categoryCount: z.number().int(),
  /** Not all categories are listed; missing ones can be chosen only through an ancestor. */
  isCut: z.boolean(),
  /** Too many categories to be sent at once; see `nodes`. */
  isLarge: z.boolean(),
  /** The whole tree when small, or the first page of the top level when large. */
  nodes: z.array(categoryNodeSchema),
  /** Categories of the top level. */
  topCount: z.number().int(),
})
export type FileCategories = z.infer<typeof fileCategoriesSchema>

/** A published file of a connection. */
const ofFileInput = z.object({ id: idSchema, fileName: z.string().max(200) })

export const categoryLevelInput = ofFileInput.extend({
  /** The parent whose children to list; null for the top level. */
  under: placeSchema.nullable(),
  /** How many children to skip, because they are known already. */
  offset: z.number().int().min(0),
})
export type CategoryLevelInput = z.infer<typeof categoryLevelInput>

export const categorySearchInput = ofFileInput.extend({ q: z.string().max(SEARCH_MAX_LENGTH) })
export type CategorySearchInput = z.infer<typeof categorySearchInput>

export const categoryChoiceInput = ofFileInput.extend({
  categories: visibilitySettingsSchema.shape.categories,
})
export type CategoryChoiceInput = z.infer<typeof categoryChoiceInput>

/** The effect of a choice of categories on a file. */
export const categoryChoiceSchema = z.object({
  /** The place of each chosen category, in order; null for one that is not in the file. */
  places: z.array(placeSchema.nullable()),
  /** Rows that a retailer with this choice sees. */
  visibleRows: z.number().int(),
})
export type CategoryChoice = z.infer<typeof categoryChoiceSchema>
