import { z } from 'zod'

import type { ContentRoute } from './define-routes'
import { fileFormatQuery } from './file-format'

const feed = {
  noun: 'feedAddresses',
  sends: 'text/csv',
  alsoSends: [
    'text/tab-separated-values',
    'application/x-ndjson',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.apache.parquet',
  ],
  validators: 'tag and time',
  query: fileFormatQuery.extend({
    since: z
      .string()
      .max(40)
      .optional()
      .describe('The X-Feed-Version of an earlier answer: only the rows that differ since then'),
  }),
} as const

/** The addresses outside /api that are described with it. */
export const feedRoutes = {
  'GET /feeds/:token/inventory.csv': {
    ...feed,
    summary: 'Read the file of a shop, without signing in',
    notes:
      'Answers with the rows that the retailer may see, in its shop format. With since, X-Feed-Delta says whether the answer has the rows that differ, with a last column _change (added, changed or removed), or is the full file, because changes cannot be told. Can be read 120 times a minute.',
  },
  'GET /feeds/:token/inventory.txt': {
    ...feed,
    summary: 'Read the same file at an address for programs that expect tabs in .txt files',
    notes: 'The same as inventory.csv: what separates the cells depends on the shop format.',
  },
  'GET /feeds/:token/products.csv': {
    ...feed,
    summary:
      'Read the same file at an address for programs that know files of products by this name',
    notes: 'The same as inventory.csv. The shop format for Shopify shows this address.',
  },
  'GET /feeds/:token/inventory.xlsx': {
    ...feed,
    sends: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    alsoSends: [],
    summary: 'Read the rows of a shop as an Excel workbook',
    notes:
      'The rows and columns of inventory.csv, whatever the shop format is. Always the full file: changes are told in CSV only.',
  },
  'GET /feeds/:token/inventory.parquet': {
    ...feed,
    sends: 'application/vnd.apache.parquet',
    alsoSends: [],
    summary: 'Read the rows of a shop as Apache Parquet',
    notes:
      'The rows and columns of inventory.csv, whatever the shop format is: texts, and quantities and prices as numbers where each of them is one. Always the full file.',
  },
} as const satisfies Record<string, ContentRoute>

export type FeedAddressPath = keyof typeof feedRoutes
