import { z } from 'zod'

import { SEARCH_MAX_LENGTH } from '../constants'
import { categoryReadingSchema } from './file'
import { idSchema } from './primitives'
import { visibilitySettingsSchema } from './retailer'

/** A category's place in the tree of its file: each is followed by its descendants. */
const placeSchema = z.number().int().min(0)

const categoryNodeSchema = z.object({
  place: placeSchema,
  /** The place behind its last descendant. */
  end: placeSchema,
  parent: placeSchema.nullable(),
  /** 1 for the top. */
  level: z.number().int(),
  label: z.string(),
  /** Rows that a retailer sees who may see only this category: its own and those of all below. */
  rows: z.number().int(),
  /** Its place among its siblings, from 1. */
  position: z.number().int(),
  siblingCount: z.number().int(),
})
export type CategoryNode = z.infer<typeof categoryNodeSchema>

/** As many categories as go into one answer, in the order of the tree, of `count` there are. */
export const categoryPageSchema = z.object({
  nodes: z.array(categoryNodeSchema),
  count: z.number().int(),
})
export type CategoryPage = z.infer<typeof categoryPageSchema>

/** The categories of a published file, from which a retailer's rows are chosen. */
export const fileCategoriesSchema = z.object({
  /** The file they belong to: the other calls name it, so that all answers are of one tree. */
  fileName: z.string(),
  /** null: the file has no category column, so that rows cannot be told apart. */
  reading: categoryReadingSchema.nullable(),
  rowCount: z.number().int(),
  /** On all levels. */
  categoryCount: z.number().int(),
  /** There are more than can be listed: what is missing can be chosen only through those above it. */
  isCut: z.boolean(),
  /** More than one can take in at a glance. */
  isLarge: z.boolean(),
  /** The whole of a small tree, the beginning of the top level of a large one. */
  nodes: z.array(categoryNodeSchema),
  /** Categories of the top level. */
  topCount: z.number().int(),
})
export type FileCategories = z.infer<typeof fileCategoriesSchema>

/** A published file of a connection. */
const ofFileInput = z.object({ id: idSchema, fileName: z.string().max(200) })

export const categoryLevelInput = ofFileInput.extend({
  /** Whose children to list; null for the top. */
  under: placeSchema.nullable(),
  /** How many of them are known already. */
  offset: z.number().int().min(0),
})
export type CategoryLevelInput = z.infer<typeof categoryLevelInput>

export const categorySearchInput = ofFileInput.extend({ q: z.string().max(SEARCH_MAX_LENGTH) })
export type CategorySearchInput = z.infer<typeof categorySearchInput>

export const categoryChoiceInput = ofFileInput.extend({
  categories: visibilitySettingsSchema.shape.categories,
})
export type CategoryChoiceInput = z.infer<typeof categoryChoiceInput>

/** What a choice of categories makes of a file. */
export const categoryChoiceSchema = z.object({
  /** Of each chosen category, in their order; null for one that is not in the file. */
  places: z.array(placeSchema.nullable()),
  /** Rows that a retailer with this choice sees. */
  visibleRows: z.number().int(),
})
export type CategoryChoice = z.infer<typeof categoryChoiceSchema>
