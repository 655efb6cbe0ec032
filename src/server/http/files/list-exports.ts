import type { FastifyInstance } from 'fastify'

import { MAX_EXPORTED_ROWS } from '../../../shared/constants'
import { dispatchesExportQuery } from '../../../shared/schemas/destination'
import { idSchema } from '../../../shared/schemas/primitives'
import { retailersExportQuery } from '../../../shared/schemas/retailer'
import { suppliersExportQuery } from '../../../shared/schemas/supplier'
import type { Deps } from '../../domain/deps'
import { listDispatches } from '../../features/distribution/destinations/dispatch-list'
import { DISPATCHES_CSV } from '../../features/distribution/destinations/dispatches-csv'
import { MERGED } from '../../features/distribution/destinations/sent-file'
import { pageRetailers } from '../../features/distribution/retailers/retailers'
import { RETAILERS_CSV } from '../../features/distribution/retailers/retailers-csv'
import {
  pageSupplierRetailers,
  pageSuppliers,
} from '../../features/operations/suppliers/supplier-observation'
import { SUPPLIERS_CSV } from '../../features/operations/suppliers/suppliers-csv'
import { registerCsv } from './csv-route'

const PAGE_SIZE = 100

/** Streams the lists of suppliers and retailers, and what was sent of their files, as CSV, with the search and order of their pages. */
export function registerListExports(app: FastifyInstance, deps: Deps): void {
  registerCsv(app, deps, {
    address: 'GET /api/suppliers.csv',
    fileName: 'suppliers.csv',
    query: suppliersExportQuery,
    table: SUPPLIERS_CSV,
    pages: (_actor, view) => eachPage(view, (page) => pageSuppliers(deps, page)),
  })
  registerCsv(app, deps, {
    address: 'GET /api/retailers.csv',
    fileName: 'retailers.csv',
    query: retailersExportQuery,
    table: RETAILERS_CSV,
    pages: (actor, { supplierId: id, ...view }) =>
      eachPage(view, (page) =>
        // A supplier gets its own, whatever it asks for.
        id !== undefined && actor.role === 'SUPER_ADMIN'
          ? pageSupplierRetailers(deps, { ...page, id })
          : pageRetailers(deps, actor, page),
      ),
  })
  registerCsv(app, deps, {
    address: 'GET /api/retailers/:id/dispatches.csv',
    fileName: 'deliveries.csv',
    query: dispatchesExportQuery.extend({ id: idSchema }),
    table: DISPATCHES_CSV,
    pages: (actor, view) => eachPage(view, (page) => listDispatches(deps, actor, page)),
  })
  registerCsv(app, deps, {
    address: 'GET /api/merged-file/dispatches.csv',
    fileName: 'deliveries.csv',
    query: dispatchesExportQuery,
    table: DISPATCHES_CSV,
    pages: (actor, view) =>
      eachPage(view, (page) => listDispatches(deps, actor, { ...page, id: MERGED })),
  })
}

type PageRequest = Parameters<typeof pageSuppliers>[1]

type Page = PageRequest & { size: 100 }
type Read<View, Row> = (view: View & Page) => Promise<{ rows: Row[]; pageCount: number }>

async function* eachPage<View extends { q: string }, Row>(
  view: View,
  read: Read<View, Row>,
): AsyncGenerator<Row[]> {
  let pageCount = 1
  for (let page = 1; page <= pageCount; page += 1) {
    const found = await read({ ...view, page, size: PAGE_SIZE })
    yield found.rows
    pageCount = Math.min(found.pageCount, MAX_EXPORTED_ROWS / PAGE_SIZE)
  }
}
