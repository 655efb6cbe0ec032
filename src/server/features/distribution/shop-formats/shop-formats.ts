import { hasPathNames } from '../../../../shared/file-source'
import type { FileProblem } from '../../../../shared/schemas/file'
import type {
  ShopFormat,
  ShopFormatInput,
  ShopFormatChoice,
  ShopFormatPreview,
} from '../../../../shared/schemas/shop-format'
import { COLUMN_ROLES } from '../../../../shared/shop-formats'
import type { ConnectionRow } from '../../../db/schema'
import { toViewKey } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import {
  type AskedForm,
  listForms,
  ownFormOf,
  toPricing,
  toSelection,
  toVariantSpec,
} from '../../../domain/variant-spec'
import { FileError } from '../../../files/file-error'
import type { SampleTask } from '../../../files/file-readers'
import { findPricedColumns } from '../../../files/pricing/priced-columns'
import { createColumnFinder } from '../../../files/shop-formats/column-finder'
import { findRoleColumn } from '../../../files/shop-formats/column-roles'
import { layOut } from '../../../files/shop-formats/layout'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { locateGoneItems } from '../../catalogue/gone-items/gone-items'
import { readHead } from '../../catalogue/versions/connection-files'
import { readStoredFile } from '../../catalogue/versions/read-stored-file'
import { findPublishedVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { changeShopFormat, loadRetailer } from '../retailers/retailers'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { findVariant } from '../variants/variants.queries'

const SHOWN_ROWS = 10
/** Where the search for rows that the retailer may see ends. */
const READ_BYTES = 16 * 1024 * 1024

type Published = { connection: ConnectionRow; version: VersionRecord }

/** Returns a retailer's shop format, and what its supplier's file has to choose from. */
export async function readShopFormat(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<ShopFormatChoice> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const { profile } = retailer
  const published = await findPublished(deps, retailer)
  if (!published) return { profile, columns: [], problems: null }
  return {
    profile,
    columns: await listColumns(deps, retailer, published),
    problems: await findProblems(deps, retailer, published),
  }
}

/**
 * Changes the form in which a retailer gets its file, from its next read on.
 * @throws DomainError NOT_FOUND; INVALID when the supplier's file lacks a column that the shop format needs
 */
export async function saveShopFormat(
  deps: Deps,
  actor: Actor,
  { id, profile }: ShopFormatInput,
): Promise<void> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const published = await findPublished(deps, retailer)
  if (published) await checkColumns(deps, retailer, published, profile)
  await changeShopFormat(deps, actor, id, profile)
}

/**
 * Returns the first rows that a retailer would get with a shop format, as its shop would read them.
 * @throws DomainError NOT_FOUND without a published file; INVALID as `saveShopFormat`; UNAVAILABLE
 */
export async function previewShopFormat(
  deps: Deps,
  actor: Actor,
  { id, profile, signal }: ShopFormatInput & { signal?: AbortSignal | undefined },
): Promise<ShopFormatPreview> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const published = await findPublished(deps, retailer)
  if (!published) throw new DomainError('NOT_FOUND', 'No file is available yet')
  const { version, connection } = published
  const view = toVariantSpec({ ...retailer, profile, columnPolicy: connection.columnPolicy })
  const whole = { categoryReading: null, categories: null, format: null }
  const selection = view ? toSelection(view, version) : whole
  const gone = view ? await locateGoneItems(deps, view, version) : undefined
  const until = { rows: SHOWN_ROWS, bytes: READ_BYTES }
  const { sha256 } = version
  const found = await readStoredFile(deps, actor, { sha256, signal }, (file, stopped) =>
    readSample(deps, { file, ...selection, gone, until }, stopped),
  )
  return {
    columns: found.columns,
    columnCount: found.columnCount,
    rows: found.headRows.slice(0, SHOWN_ROWS),
    problems: found.problems,
    isPartial: !found.isWhole,
  }
}

async function readSample(deps: Deps, task: SampleTask, signal: AbortSignal) {
  try {
    return await deps.readers.run('sample', task, { signal })
  } catch (error) {
    throw asInvalid(error)
  }
}

async function findPublished(
  deps: Deps,
  { supplierId }: RetailerRecord,
): Promise<Published | undefined> {
  const connection = await findSupplierConnection(deps.db, supplierId)
  const version = await findPublishedVersion(deps.db, connection)
  return connection && version && { connection, version }
}

/** The first columns, those of prices and costs as the retailer sees them; hidden ones are among them. */
async function readSeenHead(
  deps: Deps,
  { priceRules }: RetailerRecord,
  { connection, version }: Published,
) {
  const head = await readHead(deps, version.id)
  const pricing = toPricing({ ...connection, priceRules })
  if (!pricing) return head
  const arePaths = hasPathNames(version.dialect)
  const { names: columns } = findPricedColumns(head.columns, { ...pricing, arePaths })
  return { columns, columnCount: head.columnCount + columns.length - head.columns.length }
}

/** The columns that the supplier shows, with the role of each. */
async function listColumns(deps: Deps, retailer: RetailerRecord, published: Published) {
  const { columns } = await readSeenHead(deps, retailer, published)
  const format = toFormat(published, { ...retailer.profile, kind: 'asIs' })
  const { roles } = format.policy
  const roleOf = new Map(
    COLUMN_ROLES.map((role) => {
      const { quantityColumn, arePaths } = format
      return [findRoleColumn(columns, role, roles, quantityColumn, arePaths), role] as const
    }),
  )
  return createColumnFinder(columns, format)
    .all()
    .map(({ header, source }) => ({
      name: header,
      role: ('place' in source && roleOf.get(source.place)) || null,
    }))
}

const toFormat = ({ connection, version }: Published, profile: ShopFormat) => ({
  policy: connection.columnPolicy,
  profile,
  quantityColumn: version.quantityColumn,
  arePaths: hasPathNames(version.dialect),
  numbers: version.numbers,
  form: ownFormOf(profile),
})

/** Only the first columns are stored: of a file with more, a missing one shows when it is written. */
async function checkColumns(
  deps: Deps,
  retailer: RetailerRecord,
  published: Published,
  profile: ShopFormat,
) {
  const { columns, columnCount } = await readSeenHead(deps, retailer, published)
  if (columnCount > columns.length) return
  try {
    layOut(columns, toFormat(published, profile))
  } catch (error) {
    throw asInvalid(error)
  }
}

function asInvalid(error: unknown): unknown {
  return error instanceof FileError && error.code === 'missing-column'
    ? new DomainError('INVALID', error.message)
    : error
}

const FORM_TEXTS: Record<AskedForm, string> = {
  own: '',
  csv: 'CSV: ',
  json: 'JSON: ',
  xlsx: 'Excel workbook: ',
  parquet: 'Parquet: ',
}

/** What was found when the retailer's file was written, and why it could not be, in each form. */
async function findProblems(deps: Deps, retailer: RetailerRecord, published: Published) {
  const settings = { ...retailer, columnPolicy: published.connection.columnPolicy }
  const refusals: string[] = []
  let problems: FileProblem[] | null = null
  for (const form of listForms(retailer.profile)) {
    const view = toVariantSpec(settings, form)
    const written = view && (await findVariant(deps.db, published.version.id, toViewKey(view)))
    if (form === 'own') problems = written?.problems ?? null
    if (written?.refusal) refusals.push(FORM_TEXTS[form] + written.refusal)
  }
  if (refusals.length === 0) return problems
  return [...refusals.map((message) => ({ line: null, message, count: 1 })), ...(problems ?? [])]
}
