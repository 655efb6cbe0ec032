import type { z } from 'zod'

import { usernameKey } from '../src/server/features/people/accounts/accounts'
import { supplierSeedSchema, type SupplierSeed } from '../src/shared/schemas/supplier-seed'
import { RETAILER_COLUMNS, SUPPLIER_COLUMNS, type Column, type SeedRow } from './seed-rows'

/** A problem, and the line that it is on. */
export type LineProblem = { line: number; text: string }
/** A supplier, and the first line that names it. */
export type LineSeed = { line: number; seed: SupplierSeed }

/** What several lines say about one account: each value with the first line that gives it. */
type Account = { line: number; values: Map<Column, { value: string; line: number }> }
type Supplier = Account & { retailers: Map<string, Account> }

/** Columns that are not shown: a password does not belong on a screen or in a log. */
const HIDDEN = new Set<Column>(['password', 'retailerPassword'])

/**
 * Makes one supplier of all lines that name it. A line may leave out what another one says, and must not
 * contradict it.
 */
export function mergeSeedRows(rows: SeedRow[]): { seeds: LineSeed[]; problems: LineProblem[] } {
  const problems: LineProblem[] = []
  const suppliers = new Map<string, Supplier>()
  /** The supplier of each retailer. */
  const owners = new Map<string, { supplier: Supplier; line: number }>()
  for (const { line, cells, problem } of rows) {
    const username = cells.get('username')
    if (problem) problems.push({ line, text: problem })
    else if (username === undefined)
      problems.push({ line, text: 'Username is required (username)' })
    else {
      const supplier = getOrAdd(suppliers, usernameKey(username), () => ({
        ...newAccount(line),
        retailers: new Map<string, Account>(),
      }))
      problems.push(...addCells(supplier, line, cells, SUPPLIER_COLUMNS))
      problems.push(...addRetailer(supplier, line, cells, owners))
    }
  }
  for (const [key, { line }] of owners) {
    const same = suppliers.get(key)
    if (same) problems.push({ line, text: `This retailer is a supplier on line ${same.line}` })
  }
  const checked = [...suppliers.values()].map(check)
  const seeds = checked.flatMap(({ seed }) => seed ?? [])
  const all = [...problems, ...checked.flatMap((one) => one.problems)]
  return { seeds, problems: all.toSorted((one, other) => one.line - other.line) }
}

const newAccount = (line: number): Account => ({ line, values: new Map() })

function addRetailer(
  supplier: Supplier,
  line: number,
  cells: SeedRow['cells'],
  owners: Map<string, { supplier: Supplier; line: number }>,
): LineProblem[] {
  if (!RETAILER_COLUMNS.some((column) => cells.has(column))) return []
  const username = cells.get('retailerUsername')
  // Without a name it is a retailer of its own, which the schema refuses.
  const key = username === undefined ? `line ${line}` : usernameKey(username)
  if (username !== undefined) {
    const owner = getOrAdd(owners, key, () => ({ supplier, line }))
    if (owner.supplier !== supplier) {
      return [{ line, text: `${username} is a retailer of another supplier on line ${owner.line}` }]
    }
  }
  const retailer = getOrAdd(supplier.retailers, key, () => newAccount(line))
  return addCells(retailer, line, cells, RETAILER_COLUMNS)
}

function addCells(
  { values }: Account,
  line: number,
  cells: SeedRow['cells'],
  columns: readonly Column[],
): LineProblem[] {
  const problems: LineProblem[] = []
  for (const column of columns) {
    const value = cells.get(column)
    if (value === undefined) continue
    const known = getOrAdd(values, column, () => ({ value, line }))
    if (isSame(column, known.value, value)) continue
    const shown = HIDDEN.has(column) ? '' : `: ${value}, not ${known.value}`
    problems.push({ line, text: `${column} contradicts line ${known.line}${shown}` })
  }
  return problems
}

function isSame(column: Column, one: string, other: string): boolean {
  const isName = column === 'username' || column === 'retailerUsername'
  return isName ? usernameKey(one) === usernameKey(other) : one === other
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function check(supplier: Supplier): { seed?: LineSeed; problems: LineProblem[] } {
  const retailers = [...supplier.retailers.values()]
  const parsed = supplierSeedSchema.safeParse(toInput(supplier, retailers))
  if (parsed.success) return { seed: { line: supplier.line, seed: parsed.data }, problems: [] }
  return { problems: parsed.error.issues.map((issue) => locate(issue, supplier, retailers)) }
}

/** A connection exists if any of its cells is given. */
function toInput({ values }: Account, retailers: Account[]) {
  const cell = (column: Column) => values.get(column)?.value
  const connection = {
    url: cell('connectionUrl'),
    name: cell('connectionName'),
    syncFrequency: toNumber(cell('syncFrequency')),
  }
  return {
    username: cell('username'),
    password: cell('password'),
    companyName: cell('companyName'),
    contactEmail: cell('contactEmail'),
    maxRetailers: toNumber(cell('maxRetailers')),
    connection: Object.values(connection).some((value) => value !== undefined)
      ? connection
      : undefined,
    retailers: retailers.map((retailer) => {
      const own = (column: Column) => retailer.values.get(column)?.value
      return {
        username: own('retailerUsername'),
        password: own('retailerPassword'),
        contactEmail: own('retailerEmail'),
        storeName: own('storeName'),
        storeUrl: own('storeUrl'),
      }
    }),
  }
}

/** undefined for an empty cell; text that is not a number is left for the schema to reject. */
function toNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text
}

const COLUMN_OF: Record<string, Column> = {
  'connection.url': 'connectionUrl',
  'connection.name': 'connectionName',
  'connection.syncFrequency': 'syncFrequency',
  'retailers.username': 'retailerUsername',
  'retailers.password': 'retailerPassword',
  'retailers.contactEmail': 'retailerEmail',
  'retailers.storeName': 'storeName',
  'retailers.storeUrl': 'storeUrl',
}

/** `Store name is required (storeName)`, on the line of the cell, or the first one of its account. */
function locate(
  { message, path }: z.core.$ZodIssue,
  supplier: Supplier,
  retailers: Account[],
): LineProblem {
  const [part, index] = path
  const account = part === 'retailers' ? (retailers[Number(index)] ?? supplier) : supplier
  const name = path.filter((key) => typeof key === 'string').join('.')
  const column = COLUMN_OF[name] ?? (name as Column)
  const line = account.values.get(column)?.line ?? account.line
  return { line, text: column ? `${message} (${column})` : message }
}
