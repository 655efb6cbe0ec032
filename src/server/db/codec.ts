import type { Selectable } from 'kysely'
import type { z } from 'zod'

import type { Database } from './schema'
import { JSON_COLUMNS } from './stored-json'

type Row = { [Table in keyof Database]: Selectable<Database[Table]> }[keyof Database]
/** The columns of all tables whose values have a given type. */
type ColumnOf<Type, OfRow = Row> = OfRow extends unknown
  ? { [C in keyof OfRow]: NonNullable<OfRow[C]> extends Type ? C : never }[keyof OfRow]
  : never
type ValueOf<Column, OfRow = Row> =
  OfRow extends Record<string, unknown> ? NonNullable<OfRow[Column & keyof OfRow]> : never

/** Complete by its type: a missing boolean column is a compile error. */
const BOOLEAN_COLUMNS = {
  hasOwnFormat: true,
  hasOwnFrequency: true,
  hasOwnPrices: true,
  hasOwnVisibility: true,
  isActive: true,
  isAllProducts: true,
  isCommonRefused: true,
  isConfirmation: true,
  isForNewcomers: true,
  isFull: true,
  isPinned: true,
  isPublished: true,
  isRepeat: true,
  isRequested: true,
  isRewritten: true,
  isRunning: true,
  isSlow: true,
  isToldOpen: true,
  isWanted: true,
  onlyIfChanged: true,
} satisfies Record<ColumnOf<boolean>, true>

const JSON_SCHEMAS: { [Column in ColumnOf<object>]: z.ZodType<ValueOf<Column>> } = JSON_COLUMNS

const DECODERS = new Map<string, (value: unknown) => unknown>([
  ...Object.keys(BOOLEAN_COLUMNS).map((name) => [name, decodeBoolean] as const),
  ...Object.entries(JSON_SCHEMAS).map(
    ([name, schema]) =>
      [name, (value: unknown) => schema.parse(JSON.parse(String(value)))] as const,
  ),
])

/**
 * Decodes the rows of a statement in place: boolean and JSON columns, recognised by their names, become
 * booleans and validated values. null stays null.
 * @throws Error that names the column when its value is invalid
 */
export function decodeRows(rows: Record<string, unknown>[]): void {
  const [first = {}] = rows
  for (const name of Object.keys(first)) {
    const decode = DECODERS.get(name)
    if (decode) for (const row of rows) row[name] = decodeColumn(name, decode, row[name])
  }
}

/** Converts a value to one that SQLite can bind: booleans to 0 or 1, objects to JSON. */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function decodeColumn(name: string, decode: (value: unknown) => unknown, value: unknown): unknown {
  if (value === null) return null
  try {
    return decode(value)
  } catch (cause) {
    throw new Error(`The column ${name} holds an invalid value`, { cause })
  }
}

function decodeBoolean(value: unknown): boolean {
  if (value !== 0 && value !== 1) throw new Error('It is neither 0 nor 1')
  return value === 1
}
