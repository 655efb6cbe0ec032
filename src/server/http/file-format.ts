import { DomainError } from '../domain/errors'

/** The query string of an address of a file. */
export type FormatQuery = { format?: unknown }

/** Whether a file is asked for as JSON: `?format=json`. @throws DomainError INVALID for another format */
export function isNdjsonAsked({ format = 'csv' }: FormatQuery): boolean {
  if (format !== 'csv' && format !== 'json') {
    throw new DomainError('INVALID', 'The format must be csv or json')
  }
  return format === 'json'
}
