import { isDeepStrictEqual } from 'node:util'

import type { WriteTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import { rememberMarks } from '../../../domain/decimal-marks'
import type { Deps } from '../../../domain/deps'
import { isSample } from '../../../domain/sample-file'
import { findVersionOfUpdate } from '../../catalogue/versions/updated-versions.queries'
import {
  findRefusedContent,
  findWholeVersion,
  updateVersion,
} from '../../catalogue/versions/version-history.queries'
import {
  findVersion,
  findVersionFindings,
  updateVersionFindings,
  type VersionRecord,
} from '../../catalogue/versions/versions.queries'
import { type ExaminedFile, toAppliedOverlay } from './examine-file'
import { closeGap, findGap, openGap } from './gaps'
import { describeReasons } from './hold-reasons'
import {
  toKeyColumns,
  dropHeld,
  insertHeld,
  insertPublished,
  publishHeld,
  requireAllStored,
  type Publishing,
  type VersionContent,
} from './put-version'

/** What became of a file. The caller writes `changes` to the connection, together with its own. */
export type Publication = { changes: ConnectionChanges } & (
  | { outcome: 'published'; versionId: number; rowCount: number }
  | { outcome: 'unchanged'; versionId: number | null }
  | { outcome: 'held'; versionId: number; reason: string }
  | { outcome: 'discarded'; versionId: null; reason: string }
)

/** Publishes an examined file as a new version, or holds it. */
export async function publishFile(
  trx: WriteTransaction,
  deps: Deps,
  publishing: Publishing,
  file: ExaminedFile,
): Promise<Publication> {
  const publication = await putFile(trx, deps, publishing, file)
  // The first detected reading is kept, so that the same rows stay visible from file to file: but not that of a sample.
  const detected = isSample(file.file) ? null : file.report.categoryReading
  const categoryReading = publishing.connection.categoryReading ?? detected
  return { ...publication, changes: { ...publication.changes, categoryReading } }
}

/** A source without a change has the held file, if there is one, and otherwise the published one. */
export async function findUnchanged(
  trx: WriteTransaction,
  { id: connectionId, publishedVersionId, heldVersionId: id }: ConnectionRow,
): Promise<Publication> {
  const held = id === null ? undefined : await findWholeVersion(trx, { id, connectionId })
  if (!held) {
    return { outcome: 'unchanged', versionId: publishedVersionId, changes: { heldVersionId: null } }
  }
  const reason = explainHold(held)
  return { outcome: 'held', versionId: held.id, reason, changes: {} }
}

/** A source that has what was read last of it: what it would publish may have been decided against since. */
export async function findKnown(
  trx: WriteTransaction,
  connection: ConnectionRow,
): Promise<Publication> {
  const { id, outdatedSha256 } = connection
  const refused =
    outdatedSha256 &&
    ((await findVersionOfUpdate(trx, id, outdatedSha256)) ??
      (await findRefusedContent(trx, id, outdatedSha256)))
  if (!refused || connection.heldVersionId !== null) return findUnchanged(trx, connection)
  const reason =
    refused.discardedAt !== null ? DISCARDED : refused.rolledBackAt !== null ? ROLLED_BACK : null
  if (reason === null) return findUnchanged(trx, connection)
  return { outcome: 'discarded', versionId: null, reason, changes: { heldVersionId: null } }
}

async function putFile(
  trx: WriteTransaction,
  deps: Deps,
  publishing: Publishing,
  file: ExaminedFile,
): Promise<Publication> {
  const { connection, now } = publishing
  const { publishedVersionId: versionId } = connection
  const isFull = !file.update?.counts
  if (versionId !== null && (await isVersion(trx, versionId, file))) {
    await renewFindings(trx, versionId, file)
    if (isFull && connection.updates) await closeGap(trx, versionId)
    await dropHeld(trx, connection)
    return { outcome: 'unchanged', versionId, changes: toChanges(connection, file) }
  }
  if (file.verdict.isDiscarded) {
    await dropHeld(trx, connection)
    if (versionId !== null && !isFull) await openGap(trx, versionId, { cause: 'discarded', now })
    const changes = { heldVersionId: null }
    return { outcome: 'discarded', versionId: null, reason: DISCARDED, changes }
  }
  const gap = isFull ? null : await findGap(trx, file.update?.baseId ?? null)
  const content = { ...toContent(file), gap }
  await requireAllStored(trx, deps, content)
  return file.verdict.reasons.length > 0
    ? hold(trx, publishing, file, content)
    : publish(trx, publishing, file, content)
}

async function hold(
  trx: WriteTransaction,
  publishing: Publishing,
  file: ExaminedFile,
  content: VersionContent,
): Promise<Publication> {
  const holdReasons = file.verdict.reasons
  const heldId = await keepOrDropHeld(trx, publishing, file)
  const versionId = heldId ?? (await insertHeld(trx, publishing, content))
  await updateVersion(trx, versionId, { holdReasons })
  const reason = explainHold({ holdReasons, problems: file.report.problems })
  return { outcome: 'held', versionId, reason, changes: { heldVersionId: versionId } }
}

async function publish(
  trx: WriteTransaction,
  publishing: Publishing,
  file: ExaminedFile,
  content: VersionContent,
): Promise<Publication> {
  const heldId = await keepOrDropHeld(trx, publishing, file)
  const versionId =
    heldId === null
      ? await insertPublished(trx, publishing, content)
      : await publishHeld(trx, publishing, heldId, { holdReasons: null, ...file.gone })
  const changes = { ...toChanges(publishing.connection, file), publishedVersionId: versionId }
  return { outcome: 'published', versionId, rowCount: file.report.rowCount, changes }
}

/** Keeps the held version of this very file, and drops another one that is held. @returns its id, or null */
async function keepOrDropHeld(
  trx: WriteTransaction,
  { connection }: Publishing,
  file: ExaminedFile,
): Promise<number | null> {
  const { heldVersionId: id } = connection
  if (id !== null && (await isVersion(trx, id, file))) return id
  await dropHeld(trx, connection)
  return null
}

async function isVersion(
  trx: WriteTransaction,
  id: number,
  { file, report }: ExaminedFile,
): Promise<boolean> {
  const version = await findVersion(trx, id)
  return (
    version?.sha256 === file.sha256 &&
    isDeepStrictEqual(version.categoryReading, report.categoryReading) &&
    hasSameQuantities(version, report)
  )
}

/** Older releases read some numbers differently, and files with other quantities are other files. */
function hasSameQuantities(
  { numbers, quantitySum }: VersionRecord,
  report: ExaminedFile['report'],
): boolean {
  if (numbers !== null) return true
  const isOpen = report.numbers.some(({ used }) => used !== null)
  return !isOpen && quantitySum === (report.quantity?.sum ?? null)
}

/** Content that stays the same may be read in another way, which may resolve or raise problems. */
async function renewFindings(
  trx: WriteTransaction,
  versionId: number,
  { report, overlay }: ExaminedFile,
): Promise<void> {
  const { isRewritten, dialect, problems, numbers, categoryExamples } = report
  const found = await findVersionFindings(trx, versionId)
  const findings = {
    isRewritten,
    dialect,
    problems,
    fromOverlay: overlay && toAppliedOverlay(overlay),
    // What the published file was read with, unless an older release has published it.
    numbers: found?.numbers ?? numbers,
    categoryExamples: found?.categoryExamples ?? categoryExamples,
  }
  if (isDeepStrictEqual({ ...found, ...findings }, found)) return
  await updateVersionFindings(trx, versionId, findings)
}

const HELD = 'The new file is held, and retailers keep the last good one.'
const explainHold = (held: Parameters<typeof describeReasons>[0]) =>
  [HELD, ...describeReasons(held)].join(' ')

const DISCARDED = 'It is still the file that you discarded.'
const ROLLED_BACK = 'It is still the update before which you went back.'

/** What a connection has of the file that is published. */
const toChanges = ({ decimalMarks }: ConnectionRow, { report }: ExaminedFile) => ({
  heldVersionId: null,
  decimalMarks: rememberMarks(decimalMarks, report.numbers),
})

const toContent = ({ file, keys, report, update, overlay, verdict, gone }: ExaminedFile) =>
  ({
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    rowCount: report.rowCount,
    isRewritten: report.isRewritten,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    numbers: report.numbers,
    categoryReading: report.categoryReading,
    columns: report.columns,
    columnCount: report.columnCount,
    dialect: report.dialect,
    problems: report.problems,
    categoryCounts: report.categoryCounts,
    categoryExamples: report.categoryExamples,
    headRows: report.headRows,
    ...toKeyColumns(keys),
    fromUpdate: update?.counts ? { sha256: update.sha256, ...update.counts } : null,
    fromOverlay: overlay && toAppliedOverlay(overlay),
    difference: verdict.difference,
    ...gone,
  }) satisfies VersionContent
