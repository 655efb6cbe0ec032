import { comparableCategories, foldName } from '../../../../shared/categories'
import type { DigestChanges, ToldChanges } from '../../../../shared/schemas/digest'
import type { DigestRow } from '../../../db/schema'
import type { DigestBase, VariantSpec } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { toSelection } from '../../../domain/variant-spec'
import type { DigestSide, KeyedPaths } from '../../../files/file-readers'
import { toNaming } from '../../catalogue/comparisons/compared-versions'
import { findObstacle } from '../../catalogue/comparisons/obstacle'
import { locateKeys } from '../../catalogue/versions/locate-keys'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import type { DigestSource } from './digest-sources'
import { findOldestKept } from './oldest-kept.queries'

/** What differs between two files for those who see the same of them; null when that cannot be told. */
export type ComparedSource = DigestChanges | null

type Wanted = {
  digest: DigestRow & { leaseToken: string }
  source: DigestSource
  base: DigestBase
  /** Compares only what was not compared before. */
  remember: (wanted: unknown, compare: () => Promise<ComparedSource>) => Promise<ComparedSource>
}

/**
 * Compares the present file with the one that was told of last, both as they may be seen now: what is hidden by now is
 * in neither.
 * @returns what is to be told, if anything, and what the next digest is compared with
 */
export async function compareSource(
  deps: Deps,
  { digest, source, base, remember }: Wanted,
  signal: AbortSignal,
): Promise<{ told: ToldChanges | null; baseId: number }> {
  const { newer } = source
  const nothing = { told: null, baseId: newer.id }
  if (base.versionId === newer.id) return nothing
  const known = await findVersion(deps.db, base.versionId)
  const isKept = known?.connectionId === newer.connectionId
  const older = isKept ? known : await findOldest(deps, newer)
  if (!older || (await findObstacle(deps, { older, newer })) !== null) return nothing
  const view = toView(digest, source)
  const { keyColumn } = newer
  if (keyColumn === null || view.hidden.includes(foldName(keyColumn))) return nothing
  const { columnPolicy: policy } = source.connection
  const { pricePercent } = digest
  const wanted = [older.id, newer.id, view, pricePercent, policy]
  const changes = await remember(wanted, () =>
    compare(deps, { older, newer, keyColumn, view, digest, source }, signal),
  )
  if (!changes) return nothing
  // Small steps of a price add up to one that counts.
  if (Object.values(changes.counts).every((count) => count === 0)) {
    return { told: null, baseId: older.id }
  }
  const { name, storeName } = source
  const about = { name, storeName, isCut: !isKept, path: pathTo(source, older) }
  const [since, until] = [publishedAt(older), publishedAt(newer)]
  return { told: { ...changes, ...about, since, until }, baseId: newer.id }
}

const publishedAt = ({ publishedAt: at, createdAt }: VersionRecord) => at ?? createdAt

async function findOldest(deps: Deps, { connectionId, id }: VersionRecord) {
  const oldestId = await findOldestKept(deps.db, { connectionId, before: id })
  return oldestId === undefined ? undefined : findVersion(deps.db, oldestId)
}

/** The rows and columns that are seen, and the categories that the person has chosen among them. */
type DigestView = { categories: string[] | null; chosen: string[] | null } & Pick<
  DigestSource,
  'hidden' | 'pricing'
>

function toView({ categories: chosen }: DigestRow, source: DigestSource): DigestView {
  const { categories, hidden, pricing, newer } = source
  // Who may not see the column must not learn from a choice what stands in it.
  const isHidden = hidden.includes(foldName(newer.categoryReading?.column ?? ''))
  return {
    categories: categories && comparableCategories(categories),
    chosen: chosen.length === 0 || isHidden ? null : comparableCategories(chosen),
    hidden: hidden.toSorted(),
    pricing,
  }
}

async function compare(
  deps: Deps,
  {
    older,
    newer,
    keyColumn,
    view,
    digest,
    source,
  }: {
    older: VersionRecord
    newer: VersionRecord
    keyColumn: string
    view: DigestView
    digest: Wanted['digest']
    source: DigestSource
  },
  signal: AbortSignal,
): Promise<ComparedSource> {
  const [before, after] = [await locateKeys(deps, older), await locateKeys(deps, newer)]
  if (!before || !after) return null
  const { columnPolicy } = source.connection
  const { path: draft } = deps.files.createDraft(digest.leaseToken)
  const task = {
    older: toSide(before, older, view),
    newer: toSide(after, newer, view),
    keyColumn,
    naming: toNaming(source.connection, newer),
    stockTexts: columnPolicy.stockTexts,
    decimalMark: columnPolicy.decimalMark,
    pricePercent: digest.pricePercent,
    draft,
  }
  return (await deps.readers.run('digest', task, { signal })).digest
}

/** First the rows that may be seen, then of these the ones that are wanted, priced and without the columns that are hidden. */
function toSide(keyed: KeyedPaths, version: VersionRecord, view: DigestView): DigestSide {
  const { categories, chosen, hidden, pricing } = view
  const specs: VariantSpec[] = []
  if (categories) specs.push({ categories, hidden: [] })
  if (chosen) specs.push({ categories: chosen, hidden: [] })
  if (hidden.length > 0 || pricing) {
    specs.push({ categories: null, hidden, ...(pricing && { pricing }) })
  }
  return { keyed, steps: specs.map((spec) => toSelection(spec, version)) }
}

/** The page on which all of it is. */
function pathTo({ isSupplier, connection, newer }: DigestSource, older: VersionRecord): string {
  if (!isSupplier) return '/retailer'
  const files = new URLSearchParams({ from: older.fileName, to: newer.fileName })
  return `/supplier/connections/${connection.id}/comparison?${files}`
}
