import { z } from 'zod'

import {
  connectionSchema,
  createConnectionInput,
  previewSourceInput,
  sourcePreviewSchema,
  updateConnectionInput,
} from '../../shared/schemas/connection'
import {
  fileCategoriesSchema,
  fileListingSchema,
  inventoryPreviewSchema,
  messageSchema,
} from '../../shared/schemas/file'
import { idSchema } from '../../shared/schemas/primitives'
import {
  createConnection,
  listConnections,
  previewSource,
  syncNow,
  updateConnection,
} from '../domain/connections'
import { listCategories, listFiles, previewConnection } from '../domain/inventory'
import { limitCalls, procedureFor, router } from './init'

const supplierProcedure = procedureFor('SUPPLIER', 'SUPER_ADMIN')
const byId = z.object({ id: idSchema })

export const connectionsRouter = router({
  list: supplierProcedure
    .output(connectionSchema.array())
    .query(({ ctx }) => listConnections(ctx.deps, ctx.actor)),

  create: supplierProcedure
    .input(createConnectionInput)
    .output(connectionSchema)
    .mutation(({ ctx, input }) => createConnection(ctx.deps, ctx.actor, input)),

  update: supplierProcedure
    .input(updateConnectionInput)
    .output(connectionSchema)
    .mutation(({ ctx, input }) => updateConnection(ctx.deps, ctx.actor, input)),

  sync: supplierProcedure
    .input(byId)
    .use(limitCalls('syncNow'))
    .output(messageSchema)
    .mutation(({ ctx, input }) => syncNow(ctx.deps, ctx.actor, input.id)),

  /** A mutation, although it changes nothing here: it makes a request to somebody else's server. */
  previewSource: supplierProcedure
    .input(previewSourceInput)
    .use(limitCalls('previewSource'))
    .output(sourcePreviewSchema)
    .mutation(({ ctx, input }) => previewSource(ctx.deps, input.url)),

  files: supplierProcedure
    .input(byId)
    .output(fileListingSchema)
    .query(({ ctx, input }) => listFiles(ctx.deps, ctx.actor, input.id)),

  inventory: supplierProcedure
    .input(byId)
    .output(z.union([inventoryPreviewSchema, messageSchema]))
    .query(({ ctx, input }) => previewConnection(ctx.deps, ctx.actor, input.id)),

  categories: supplierProcedure
    .input(byId)
    .output(z.union([fileCategoriesSchema, messageSchema]))
    .query(({ ctx, input }) => listCategories(ctx.deps, ctx.actor, input.id)),
})
