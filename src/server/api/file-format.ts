import { z } from 'zod'

import { WORKBOOK_NAME } from '../../shared/shop-formats'
import { DomainError } from '../domain/errors'
import type { AskedForm } from '../domain/variant-spec'

/** The query string of an address of a file. */
export type FormatQuery = { format?: unknown }

const FORMATS = ['csv', 'json', 'xlsx'] as const

/** As it is described; {@link readAskedForm} reads it. */
export const fileFormatQuery = z.object({
  format: z
    .enum(FORMATS)
    .optional()
    .describe('json: one JSON object for each row; xlsx: an Excel workbook'),
})

/**
 * The form in which a file is asked for: `?format=json`.
 * @param named the form that the address itself asks for; a name that is a workbook's always has one
 * @throws DomainError INVALID for another format
 */
export function readAskedForm({ format }: FormatQuery, named: AskedForm = 'own'): AskedForm {
  if (format === undefined) return named
  const found = FORMATS.find((known) => known === format)
  if (!found) throw new DomainError('INVALID', 'The format must be csv, json or xlsx')
  return named === 'own' ? found : named
}

/** The form that the name of a feed address asks for. */
export const readFormOfName = (fileName: string): AskedForm =>
  fileName === WORKBOOK_NAME ? 'xlsx' : 'own'
