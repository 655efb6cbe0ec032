import { z } from 'zod'

import {
  connectionSchema,
  createConnectionInput,
  previewSourceInput,
  sourcePreviewSchema,
  updateConnectionInput,
} from '../../../../shared/schemas/connection'
import {
  fileListingSchema,
  inventoryPreviewSchema,
  messageSchema,
  sourceFindingsSchema,
} from '../../../../shared/schemas/file'
import { browseRowsInput, rowsPageSchema } from '../../../../shared/schemas/file-rows'
import { byIdInput } from '../../../../shared/schemas/primitives'
import { limitCalls, procedureFor, router, supplierProcedure } from '../../../trpc/init'
import { browseConnectionRows } from '../versions/browse-rows'
import { listFiles, previewConnection, readFindings } from '../versions/connection-files'
import { createConnection, listConnections, updateConnection } from './connections'
import { previewSource } from './source-preview'

export const connectionsRouter = router({
  /** The caller's own. For administrators, REST lists the connections of all suppliers. */
  list: procedureFor('SUPPLIER')
    .output(connectionSchema.array())
    .query(({ ctx }) => listConnections(ctx.deps, ctx.actor)),

  create: supplierProcedure
    .input(createConnectionInput)
    .output(connectionSchema)
    .mutation(({ ctx, input }) => createConnection(ctx.deps, ctx.actor, input)),

  update: supplierProcedure
    .input(updateConnectionInput)
    .use(limitCalls('changeAccess'))
    .output(connectionSchema)
    .mutation(({ ctx, input }) => updateConnection(ctx.deps, ctx.actor, input)),

  /** A mutation, although it changes nothing here: it sends a request to the supplier's server. */
  previewSource: supplierProcedure
    .meta({ cost: 5 })
    .input(previewSourceInput)
    .use(limitCalls('previewSource'))
    .output(sourcePreviewSchema)
    .mutation(({ ctx, input }) => previewSource(ctx.deps, ctx.actor, input)),

  files: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(fileListingSchema)
    .query(({ ctx, input }) => listFiles(ctx.deps, ctx.actor, input.id)),

  inventory: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(z.union([inventoryPreviewSchema, messageSchema]))
    .query(({ ctx, input }) => previewConnection(ctx.deps, ctx.actor, input.id)),
  rows: supplierProcedure
    .meta({ cost: 5, area: 'files' })
    .input(browseRowsInput)
    .output(rowsPageSchema)
    .query(({ ctx, input, signal }) =>
      browseConnectionRows(ctx.deps, ctx.actor, { ...input, signal }),
    ),
  findings: supplierProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(z.union([sourceFindingsSchema, messageSchema]))
    .query(({ ctx, input }) => readFindings(ctx.deps, ctx.actor, input.id)),
})
