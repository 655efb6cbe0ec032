import { z } from 'zod'

import {
  downloadRecordSchema,
  changeSummarySchema,
  latestFileSchema,
  messageSchema,
  retailerPreviewSchema,
  rowCountSchema,
} from '../../../../shared/schemas/file'
import { browseRowsInput, rowsPageSchema } from '../../../../shared/schemas/file-rows'
import { retailerPricesSchema, savePriceRulesInput } from '../../../../shared/schemas/price-rules'
import { byIdInput } from '../../../../shared/schemas/primitives'
import {
  createRetailerInput,
  deliveryPreferencesInput,
  ownRetailerInput,
  ownRetailerSchema,
  pageRetailersInput,
  readersSchema,
  retailerPageSchema,
  retailerSchema,
  retailerUsageInput,
  retailerUsageSchema,
  storeDetailsInput,
  updateRetailerInput,
  updateRetailersInput,
} from '../../../../shared/schemas/retailer'
import { companyProfileSchema } from '../../../../shared/schemas/supplier'
import { procedureFor, router, signedInProcedure, supplierProcedure } from '../../../trpc/init'
import { readChangeSummary } from '../downloads/change-summary'
import { listDownloads } from '../downloads/download-history'
import { browseRetailerRows, getLatestFile, previewRetailerFile } from '../downloads/retailer-files'
import { countReaders, listRetailerUsage } from '../downloads/retailer-usage'
import { readRowCounts } from '../downloads/row-counts'
import { getOwnSupplier } from './own-supplier'
import { readPrices, savePrices } from './price-rules'
import {
  createRetailer,
  deleteRetailer,
  getRetailer,
  getOwnRetailer,
  pageRetailers,
  updateDeliveryPreferences,
  updateRetailer,
  updateRetailers,
  updateStoreDetails,
} from './retailers'

const retailerProcedure = procedureFor('RETAILER')

export const retailersRouter = router({
  /** null for a login that is not linked to a supplier yet. Of several suppliers that of `id`, or the first. */
  own: retailerProcedure
    .input(ownRetailerInput)
    .output(ownRetailerSchema.nullable())
    .query(({ ctx, input }) => getOwnRetailer(ctx.deps, ctx.actor, input?.id)),

  /** The caller's supplier and its contact, as far as it has published them. */
  supplier: retailerProcedure
    .input(ownRetailerInput)
    .output(companyProfileSchema.nullable())
    .query(({ ctx, input }) => getOwnSupplier(ctx.deps, ctx.actor, input?.id)),

  page: supplierProcedure
    .meta({ cost: 2 })
    .input(pageRetailersInput)
    .output(retailerPageSchema)
    .query(({ ctx, input }) => pageRetailers(ctx.deps, ctx.actor, input)),

  get: supplierProcedure
    .input(byIdInput)
    .output(retailerSchema)
    .query(({ ctx, input }) => getRetailer(ctx.deps, ctx.actor, input.id)),

  create: supplierProcedure
    .input(createRetailerInput)
    .output(retailerSchema)
    .mutation(({ ctx, input }) => createRetailer(ctx.deps, ctx.actor, input)),

  update: supplierProcedure
    .input(updateRetailerInput)
    .output(retailerSchema)
    .mutation(({ ctx, input }) => updateRetailer(ctx.deps, ctx.actor, input)),

  updateSeveral: supplierProcedure
    .meta({ cost: 5 })
    .input(updateRetailersInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await updateRetailers(ctx.deps, ctx.actor, input)
      return { message: 'Retailers updated' }
    }),

  prices: supplierProcedure
    .input(byIdInput)
    .output(retailerPricesSchema)
    .query(({ ctx, input }) => readPrices(ctx.deps, ctx.actor, input.id)),

  savePrices: supplierProcedure
    .input(savePriceRulesInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await savePrices(ctx.deps, ctx.actor, input)
      return { message: 'Prices saved' }
    }),

  /** How many retailers read in which way. */
  readers: procedureFor('SUPPLIER')
    .meta({ cost: 2 })
    .output(readersSchema)
    .query(({ ctx }) => countReaders(ctx.deps, ctx.actor)),

  usage: signedInProcedure
    .meta({ cost: 5 })
    .input(retailerUsageInput)
    .output(z.array(retailerUsageSchema))
    .query(({ ctx, input }) => listRetailerUsage(ctx.deps, ctx.actor, input.ids)),

  updateBasicInfo: supplierProcedure
    .input(storeDetailsInput)
    .output(retailerSchema)
    .mutation(({ ctx, input }) => updateStoreDetails(ctx.deps, ctx.actor, input)),

  updateStoreInfo: retailerProcedure
    .input(storeDetailsInput)
    .output(retailerSchema)
    .mutation(({ ctx, input }) => updateStoreDetails(ctx.deps, ctx.actor, input)),

  updateDeliveryPreferences: retailerProcedure
    .meta({ area: 'addresses' })
    .input(deliveryPreferencesInput)
    .output(retailerSchema)
    .mutation(({ ctx, input }) => updateDeliveryPreferences(ctx.deps, ctx.actor, input)),

  latestFile: signedInProcedure
    .input(byIdInput)
    .output(latestFileSchema)
    .query(({ ctx, input }) => getLatestFile(ctx.deps, ctx.actor, input.id)),

  inventory: signedInProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(z.union([retailerPreviewSchema, messageSchema]))
    .query(({ ctx, input }) => previewRetailerFile(ctx.deps, ctx.actor, input.id)),

  downloads: signedInProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(downloadRecordSchema.array())
    .query(({ ctx, input }) => listDownloads(ctx.deps, ctx.actor, input.id)),

  /** null while the retailer has had one file only. */
  changes: signedInProcedure
    .meta({ cost: 5 })
    .input(byIdInput)
    .output(changeSummarySchema.nullable())
    .query(({ ctx, input }) => readChangeSummary(ctx.deps, ctx.actor, input.id)),

  /** Of the files that the retailer has had in the last 30 days, oldest first. */
  rowCounts: signedInProcedure
    .meta({ cost: 2 })
    .input(byIdInput)
    .output(rowCountSchema.array())
    .query(({ ctx, input }) => readRowCounts(ctx.deps, ctx.actor, input.id)),

  /** Also for suppliers, as the retailer sees them. */
  rows: signedInProcedure
    .meta({ cost: 5, area: 'files' })
    .input(browseRowsInput)
    .output(rowsPageSchema)
    .query(({ ctx, input, signal }) =>
      browseRetailerRows(ctx.deps, ctx.actor, { ...input, signal }),
    ),

  delete: supplierProcedure
    .input(byIdInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await deleteRetailer(ctx.deps, ctx.actor, input.id)
      return { message: 'Retailer deleted' }
    }),
})
