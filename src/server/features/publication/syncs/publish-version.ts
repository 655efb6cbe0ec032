import { isDeepStrictEqual } from 'node:util'

import { describeHold } from '../../../../shared/hold-reasons'
import type { HoldReason } from '../../../../shared/schemas/publishing'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findWholeVersion, updateVersion } from '../../catalogue/versions/version-history.queries'
import { nameVersion } from '../../catalogue/versions/version-name'
import {
  findVersion,
  findVersionFindings,
  insertVersion,
  updateVersionFindings,
  type VersionRecord,
} from '../../catalogue/versions/versions.queries'
import { requireStored } from '../../distribution/stored-files/storage-cleaning'
import type { Fetched, FetchedFile } from './fetched-file'
import { finishSync } from './finish-sync'
import { toKeyColumns } from './key-columns'
import { loadLeasedConnection, type SyncRun } from './sync-lease'
import { tellOfDiscarded, tellOfHold, tellOfSuccess } from './tell-of-sync'

/** What became of a fetched file. `versionId` is null when nothing was published. */
export type Publication =
  | { outcome: 'published'; versionId: number }
  | { outcome: 'unchanged' | 'held'; versionId: null }

type Sync = {
  run: SyncRun
  connection: Owned<ConnectionRow>
  now: number
  isSlow: boolean
}

/**
 * Publishes a fetched file as a new version, or holds it, in one transaction.
 * @throws LeaseLostError when the lease was lost meanwhile
 */
export async function publish(
  deps: Deps,
  run: SyncRun,
  fetched: Fetched,
  isSlow: boolean,
): Promise<Publication> {
  return inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const connection = await loadLeasedConnection(trx, run, now)
    const sync = { run, connection, now, isSlow }
    if (fetched.kind === 'unchanged') return finishUnchanged(trx, sync, fetched)
    if (await isVersion(trx, connection.publishedVersionId, fetched)) {
      await renewFindings(trx, connection, fetched)
      return finishUnchanged(trx, { ...sync, connection: await dropHeld(trx, connection) }, fetched)
    }
    if (fetched.verdict.isDiscarded) return finishDiscarded(trx, sync, fetched)
    await requireStored(trx, deps, fetched.file.sha256)
    if (fetched.keys) await requireStored(trx, deps, fetched.keys.content.sha256)
    if (fetched.gone?.goneSha256) await requireStored(trx, deps, fetched.gone.goneSha256)
    return fetched.verdict.reasons.length > 0
      ? hold(trx, sync, fetched)
      : publishFile(trx, sync, fetched)
  })
}

async function isVersion(
  trx: WriteTransaction,
  id: number | null,
  { file, report }: FetchedFile,
): Promise<boolean> {
  const version = id === null ? undefined : await findVersion(trx, id)
  return (
    version?.sha256 === file.sha256 &&
    isDeepStrictEqual(version.categoryReading, report.categoryReading) &&
    hasSameQuantities(version, report)
  )
}

/** Older releases read some numbers differently, and files with other quantities are other files. */
function hasSameQuantities(
  { numbers, quantitySum }: VersionRecord,
  report: FetchedFile['report'],
): boolean {
  if (numbers !== null) return true
  const isOpen = report.numbers.some(({ used }) => used !== null)
  return !isOpen && quantitySum === (report.quantity?.sum ?? null)
}

/** Content that stays the same may be read in another way, which may resolve or raise problems. */
async function renewFindings(
  trx: WriteTransaction,
  { publishedVersionId }: ConnectionRow,
  { report }: FetchedFile,
): Promise<void> {
  if (publishedVersionId === null) return
  const { isRewritten, dialect, problems, numbers, categoryExamples } = report
  const found = await findVersionFindings(trx, publishedVersionId)
  const findings = {
    isRewritten,
    dialect,
    problems,
    // What the published file was read with, unless an older release has published it.
    numbers: found?.numbers ?? numbers,
    categoryExamples: found?.categoryExamples ?? categoryExamples,
  }
  if (isDeepStrictEqual({ ...found, ...findings }, found)) return
  await updateVersionFindings(trx, publishedVersionId, findings)
}

/** The source has what it had: the held file, if there is one, and otherwise the published one. */
async function finishUnchanged(
  trx: WriteTransaction,
  { run, connection, ...sync }: Sync,
  fetched: Fetched,
): Promise<Publication> {
  const { id: connectionId, publishedVersionId, heldVersionId: id } = connection
  const held = id === null ? undefined : await findWholeVersion(trx, { id, connectionId })
  const outcome = held ? 'held' : 'unchanged'
  const versionId = held?.id ?? publishedVersionId
  const error = held && explainHold(held.holdReasons ?? [])
  await finishSync(
    trx,
    { run, connection },
    { ...sync, fetched, outcome, versionId, ...(error !== undefined && { error }) },
  )
  if (error === undefined) await tellOfSuccess(trx, connection, { now: sync.now })
  else await tellOfHold(trx, connection, { now: sync.now, reason: error })
  return { outcome, versionId: null }
}

/** The validators are forgotten: a source that reports no change would seem to have what is published. */
async function finishDiscarded(
  trx: WriteTransaction,
  { run, connection, ...sync }: Sync,
  fetched: FetchedFile,
): Promise<Publication> {
  await dropHeld(trx, connection)
  await finishSync(
    trx,
    { run, connection },
    {
      ...sync,
      fetched,
      outcome: 'held',
      versionId: null,
      error: DISCARDED,
      changes: { etag: null, lastModified: null, heldVersionId: null },
    },
  )
  await tellOfDiscarded(trx, connection, sync.now)
  return { outcome: 'held', versionId: null }
}

async function hold(
  trx: WriteTransaction,
  { run, connection, ...sync }: Sync,
  fetched: FetchedFile,
): Promise<Publication> {
  const { reasons } = fetched.verdict
  const { heldVersionId } = connection
  const isSame = await isVersion(trx, heldVersionId, fetched)
  if (!isSame) await dropHeld(trx, connection)
  const versionId =
    isSame && heldVersionId !== null
      ? heldVersionId
      : await insertFetchedVersion(trx, { ...sync, fetched, connection, status: 'held' })
  await updateVersion(trx, versionId, { holdReasons: reasons })
  const error = explainHold(reasons)
  const changes = { heldVersionId: versionId }
  await finishSync(
    trx,
    { run, connection },
    { ...sync, fetched, outcome: 'held', versionId, error, changes },
  )
  await tellOfHold(trx, connection, { now: sync.now, reason: error })
  return { outcome: 'held', versionId: null }
}

/** A file that was held and may be published now is the same version. */
async function publishFile(
  trx: WriteTransaction,
  { run, connection, ...sync }: Sync,
  fetched: FetchedFile,
): Promise<Publication> {
  const { heldVersionId } = connection
  let versionId = heldVersionId
  if (versionId !== null && (await isVersion(trx, versionId, fetched))) {
    const published = { status: 'published', publishedAt: sync.now, holdReasons: null } as const
    await updateVersion(trx, versionId, { ...published, ...fetched.gone })
  } else {
    await dropHeld(trx, connection)
    versionId = await insertFetchedVersion(trx, {
      ...sync,
      fetched,
      connection,
      status: 'published',
    })
  }
  const changes = { publishedVersionId: versionId }
  await finishSync(
    trx,
    { run, connection },
    { ...sync, fetched, outcome: 'published', versionId, changes },
  )
  const { rowCount } = fetched.report
  await tellOfSuccess(trx, connection, { now: sync.now, published: { rowCount } })
  return { outcome: 'published', versionId }
}

const HELD = 'The new file is held, and retailers keep the last good one.'
const explainHold = (reasons: HoldReason[]) => [HELD, ...reasons.map(describeHold)].join(' ')

const DISCARDED = 'The source still has the file that you discarded.'

/** A held file that the source no longer has waits for no decision. */
async function dropHeld(
  trx: WriteTransaction,
  connection: Owned<ConnectionRow>,
): Promise<Owned<ConnectionRow>> {
  if (connection.heldVersionId === null) return connection
  await updateVersion(trx, connection.heldVersionId, { status: 'discarded' })
  return { ...connection, heldVersionId: null }
}

async function insertFetchedVersion(
  trx: WriteTransaction,
  {
    fetched: { file, keys, report, verdict, gone },
    connection,
    now,
    status,
  }: Pick<Sync, 'connection' | 'now'> & { fetched: FetchedFile; status: 'published' | 'held' },
): Promise<number> {
  return insertVersion(trx, {
    connectionId: connection.id,
    ...(await nameVersion(trx, connection.id, now)),
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    rowCount: report.rowCount,
    status,
    isRewritten: report.isRewritten,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    numbers: report.numbers,
    categoryReading: report.categoryReading,
    publishedAt: status === 'published' ? now : null,
    columns: report.columns,
    columnCount: report.columnCount,
    dialect: report.dialect,
    problems: report.problems,
    categoryCounts: report.categoryCounts,
    categoryExamples: report.categoryExamples,
    headRows: report.headRows,
    ...toKeyColumns(keys),
    difference: verdict.difference,
    ...gone,
  })
}
