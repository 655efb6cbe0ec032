import { z } from 'zod'

import { DomainError } from '../domain/errors'

/** The query string of an address of a file. */
export type FormatQuery = { format?: unknown }

/** As it is described; {@link isNdjsonAsked} reads it. */
export const fileFormatQuery = z.object({
  format: z.enum(['csv', 'json']).optional().describe('json: one JSON object for each row'),
})

/** Whether a file is asked for as JSON: `?format=json`. @throws DomainError INVALID for another format */
export function isNdjsonAsked({ format = 'csv' }: FormatQuery): boolean {
  if (format !== 'csv' && format !== 'json') {
    throw new DomainError('INVALID', 'The format must be csv or json')
  }
  return format === 'json'
}
