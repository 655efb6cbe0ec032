import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { hasPathNames } from '../../../../shared/file-source'
import { inTransaction } from '../../../db/open'
import type {
  ConnectionRow,
  MergedFileRow,
  MergedPartChanges,
  MergedPartRow,
} from '../../../db/schema'
import { toFingerprint } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { logFailure } from '../../../domain/log-failure'
import { WHOLE_FILE } from '../../../domain/variant-spec'
import { toSelection } from '../../../domain/variant-spec'
import { FileError } from '../../../files/file-error'
import { listVersions, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { choiceEndsAt, chooseVersionId } from '../downloads/chosen-version'
import { deleteUnneededFiles, requireStored } from '../stored-files/storage-cleaning'
import { updateMergedPart } from './merged-parts.queries'
import { findPartTimes } from './part-times'
import type { SeenRelation } from './relations'

/** A part that can be merged. */
export interface ReadyPart {
  row: MergedPartRow
  relation: SeenRelation
  dataAt: number
  sha256: string
  sizeBytes: number
  isStale: boolean
}

export interface UpdatedParts {
  parts: ReadyPart[]
  /** When time alone changes one. */
  nextAt: number
}

type Run = { leaseToken: string; signal: AbortSignal }

/** How often it is looked whether a part that is too old has been confirmed. */
const STALE_LOOKED_AT_MS = 5 * MINUTE_MS

/**
 * Brings the parts of a merged file up to date. One whose newest file cannot be used stays as it was; one without any
 * file is left out.
 */
export async function updateParts(
  deps: Deps,
  {
    file,
    rows,
    relations,
  }: {
    file: MergedFileRow
    rows: readonly MergedPartRow[]
    relations: readonly SeenRelation[]
  },
  run: Run,
): Promise<UpdatedParts> {
  const chosen = chooseVersions(rows, relations, deps.clock.now())
  const ids = chosen.flatMap(({ versionId }) => versionId ?? [])
  const found = ids.length > 0 ? await listVersions(deps.db, ids) : []
  const versions = new Map(found.map((version) => [version.id, version]))
  const current: (Pick<ReadyPart, 'row' | 'relation'> & { connection: ConnectionRow })[] = []
  for (const { row, relation, connection, versionId } of chosen) {
    run.signal.throwIfAborted()
    const version = versions.get(versionId ?? 0)
    const updated = version ? await updatePart(deps, { file, row, relation, version }, run) : row
    current.push({ row: updated, relation, connection })
  }
  const now = deps.clock.now()
  const timed = current.map(({ row, connection }) => ({ ...row, connection }))
  const times = await findPartTimes(deps.db, timed)
  const maxAge = (file.mergedRules.maxAgeHours ?? Infinity) * HOUR_MS
  const changeTimes = chosen.map(({ choiceAt }) => choiceAt)
  const parts = current.flatMap(({ row, relation }, place): ReadyPart[] => {
    const { sha256, sizeBytes, seenKey } = row
    // What was seen before may no longer be.
    if (sha256 === null || sizeBytes === null || seenKey !== relation.seenKey) return []
    const dataAt = times[place] ?? 0
    const isStale = dataAt + maxAge <= now
    // Nobody tells that its supplier still has the same.
    changeTimes.push(isStale ? now + STALE_LOOKED_AT_MS : dataAt + maxAge)
    return [{ row, relation, dataAt, sha256, sizeBytes, isStale }]
  })
  return { parts, nextAt: Math.min(Infinity, ...changeTimes.filter((at) => at > now)) }
}

/** Which version each part is to have now, and when that may change; without those of suppliers who have no connection. */
function chooseVersions(
  rows: readonly MergedPartRow[],
  relations: readonly SeenRelation[],
  now: number,
) {
  return rows.flatMap((row) => {
    const relation = relations.find(({ retailer }) => retailer.id === row.retailerId)
    if (!relation?.connection) return []
    const { connection } = relation
    const reader = {
      ...relation.retailer,
      currentVersionId: row.versionId,
      currentSince: row.versionId === null ? null : row.versionSince,
    }
    const choiceAt = choiceEndsAt(reader, connection)
    const versionId = chooseVersionId(reader, connection, now)
    return [{ row, relation, connection, choiceAt, versionId }]
  })
}

type Given = {
  file: MergedFileRow
  row: MergedPartRow
  relation: SeenRelation
  version: VersionRecord
}

const UNREADABLE = 'The newest file could not be read. It will be tried again.'

/** Writes the part file anew if anything has changed that decides what is in it. */
async function updatePart(deps: Deps, given: Given, run: Run): Promise<MergedPartRow> {
  const { row, relation, version } = given
  const partKey = toPartKey(given)
  if (row.partKey === partKey && row.sha256 !== null) return row
  const { seenKey } = relation
  const now = deps.clock.now()
  const versionSince = row.versionId === version.id ? row.versionSince : now
  let changes: MergedPartChanges
  try {
    const written = await writePartFile(deps, given, run)
    const dataAt = version.dataAt ?? version.publishedAt
    changes = {
      ...written,
      versionId: version.id,
      versionSince,
      seenKey,
      partKey,
      dataAt,
      failure: null,
    }
  } catch (error) {
    if (run.signal.aborted) throw error
    logFailure(deps.logger, error, 'A part of a merged file could not be read', { partId: row.id })
    // One supplier’s file, whatever is wrong with it, keeps nobody else’s back.
    changes = { failure: error instanceof FileError ? error.message : UNREADABLE }
  }
  await inTransaction(deps.db, async (trx) => {
    if (typeof changes.sha256 === 'string') await requireStored(trx, deps, [changes.sha256])
    await updateMergedPart(trx, row, changes)
  })
  const { sha256: before } = row
  const isReplaced = typeof changes.sha256 === 'string' && changes.sha256 !== before
  if (isReplaced && before !== null) await deleteUnneededFiles(deps, [before])
  return { ...row, ...changes } as MergedPartRow
}

/** Changed with what a part file says: those that are there are written anew then. */
const PART_FORMAT = 2

function toPartKey({ file, row, relation, version }: Given): string {
  const { connection, retailer, seenKey } = relation
  const { roles, stockTexts, decimalMark } = connection?.columnPolicy ?? {}
  const { buffer, cutOff, cap } = retailer.profile
  const stock = { buffer, cutOff, cap, roles, stockTexts, decimalMark }
  const chosen = { prefix: row.prefix, costColumn: row.costColumn }
  return toFingerprint([
    PART_FORMAT,
    version.sha256,
    version.id,
    seenKey,
    stock,
    chosen,
    file.matchingSha256,
  ])
}

async function writePartFile(
  deps: Deps,
  { file, row, relation, version }: Given,
  { leaseToken, signal }: Run,
) {
  const policy = relation.connection!.columnPolicy
  const { buffer, cutOff, cap } = relation.retailer.profile
  const { matchingSha256 } = file
  const draft = deps.files.createDraft(leaseToken)
  try {
    const { content, rowCount, problems } = await deps.readers.run(
      'partFile',
      {
        file: await deps.files.locate(version.sha256),
        draft: draft.path,
        seen: toSelection(relation.view ?? WHOLE_FILE, version),
        matching: matchingSha256 === null ? null : await deps.files.locate(matchingSha256),
        roles: policy.roles,
        quantityColumn: version.quantityColumn,
        arePaths: hasPathNames(version.dialect),
        costColumn: row.costColumn,
        stockTexts: policy.stockTexts,
        decimalMark: policy.decimalMark,
        numbers: version.numbers,
        stock: { buffer, cutOff, cap },
        prefix: row.prefix,
      },
      { signal },
    )
    await draft.commit(content)
    return { ...content, rowCount, problems }
  } finally {
    await draft.discard()
  }
}
