import { z } from 'zod'

import {
  categoryChoiceInput,
  categoryChoiceSchema,
  categoryLevelInput,
  categoryPageSchema,
  categorySearchInput,
  fileCategoriesSchema,
} from '../../../../shared/schemas/category'
import { messageSchema } from '../../../../shared/schemas/file'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { router, supplierProcedure } from '../../../trpc/init'
import {
  describeCategories,
  listCategoryLevel,
  readCategoryChoice,
  searchCategories,
} from './categories'

/** The categories of a connection's published file, in pages, because there may be thousands. */
export const categoriesRouter = router({
  overview: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(z.union([fileCategoriesSchema, messageSchema]))
    .query(({ ctx, input }) => describeCategories(ctx.deps, ctx.actor, input.id)),

  level: supplierProcedure
    .meta({ cost: 2 })
    .input(categoryLevelInput)
    .output(categoryPageSchema)
    .query(({ ctx, input }) => listCategoryLevel(ctx.deps, ctx.actor, input)),

  search: supplierProcedure
    .meta({ cost: 2 })
    .input(categorySearchInput)
    .output(categoryPageSchema)
    .query(({ ctx, input }) => searchCategories(ctx.deps, ctx.actor, input)),

  /** A mutation, although it changes nothing, because thousands of names are too long for a URL. */
  choice: supplierProcedure
    .meta({ cost: 5, area: 'look' })
    .input(categoryChoiceInput)
    .output(categoryChoiceSchema)
    .mutation(({ ctx, input }) => readCategoryChoice(ctx.deps, ctx.actor, input)),
})
