import { z } from 'zod'

import { PARQUET_NAME, WORKBOOK_NAME } from '../../shared/shop-formats'
import { DomainError } from '../domain/errors'
import type { AskedForm } from '../domain/variant-spec'

/** The query string of an address of a file. */
export type FormatQuery = { format?: unknown }

const FORMATS = ['csv', 'json', 'xlsx', 'parquet'] as const

/** As it is described; {@link readAskedForm} reads it. */
export const fileFormatQuery = z.object({
  format: z
    .enum(FORMATS)
    .optional()
    .describe(
      'json: one JSON object for each row; xlsx: an Excel workbook; parquet: Apache Parquet',
    ),
})

/**
 * The form in which a file is asked for: `?format=json`.
 * @param named the form that the address itself asks for; a name that is a workbook's or that of Parquet always has one
 * @throws DomainError INVALID for another format
 */
export function readAskedForm({ format }: FormatQuery, named: AskedForm = 'own'): AskedForm {
  if (format === undefined) return named
  const found = FORMATS.find((known) => known === format)
  if (!found) throw new DomainError('INVALID', 'The format must be csv, json, xlsx or parquet')
  return named === 'own' ? found : named
}

/** The form that the name of a feed address asks for. */
export function readFormOfName(fileName: string): AskedForm {
  if (fileName === PARQUET_NAME) return 'parquet'
  return fileName === WORKBOOK_NAME ? 'xlsx' : 'own'
}
