import { isDeepStrictEqual } from 'node:util'

import { hasPathNames } from '../../../../shared/file-source'
import type { Comparison } from '../../../../shared/schemas/comparison'
import type { HoldReason } from '../../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../../db/schema'
import type { AppliedOverlay } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { isSample } from '../../../domain/sample-file'
import type {
  FileChanges,
  PublishedFile,
  ReadOverlay,
  ReadUpdate,
  WrittenKeys,
} from '../../../files/file-readers'
import type { FileReport } from '../../../files/ingest'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import {
  findKnownItems,
  NO_GONE_ITEMS,
  storeGoneItems,
  type GoneColumns,
} from '../../catalogue/gone-items/gone-items'
import { locateKeys } from '../../catalogue/versions/locate-keys'
import {
  findRefusedContent,
  findVersionFacts,
  type VersionFacts,
} from '../../catalogue/versions/version-history.queries'
import { checkFile } from './file-checks'
import { findHoldReasons } from './hold-reasons'

type ReadFile = {
  file: StoredFile
  keys: WrittenKeys | null
  report: FileReport
  /** What was read of it if the connection takes updates, and the version that it was merged onto. */
  update: (ReadUpdate & { baseId: number | null }) | null
  /** What was joined to it. */
  overlay: ReadOverlay | null
}

/** What is kept of an overlay. */
export const toAppliedOverlay = ({ counts, replaced }: ReadOverlay): AppliedOverlay => ({
  ...counts,
  replaced,
})

/** The published file, with which one that arrives is compared. */
export type Published = { facts: VersionFacts; file: PublishedFile }

/** A file that has arrived for a connection, and was read and compared with the published one, but is not stored yet. */
export type ArrivedFile = ReadFile & {
  published: Published | undefined
  changes: FileChanges | null
  drafts: Record<'file' | 'keys' | 'gone', FileDraft>
  /** The media type that it was sent with. */
  mediaType: string
}

/** A file that is stored, and of which is known what is to become of it. */
export type ExaminedFile = ReadFile & {
  verdict: Verdict
  /** The items that are gone with it; none for a file that is not to be published. */
  gone: GoneColumns
}

/** Finds what a file that arrives for a connection is compared with: nothing, if that is the sample. */
export async function findPublished(
  deps: Deps,
  { supplierId, publishedVersionId }: ConnectionRow,
): Promise<Published | undefined> {
  const facts = await findVersionFacts(deps.db, publishedVersionId)
  if (!facts || isSample(facts)) return undefined
  const { sha256, keyColumn, keyQuantityColumn, numbers, categoryReading } = facts
  return {
    facts,
    file: {
      sha256,
      keyColumn,
      keyQuantityColumn,
      numbers,
      categoryReading,
      arePaths: hasPathNames(facts.dialect),
      paths: await locateKeys(deps, facts),
      gone: await findKnownItems(deps, supplierId, facts),
    },
  }
}

/**
 * Checks a file that has arrived, decides what is to become of it, and stores it. Nothing is published yet:
 * `publishFile` does that in the transaction of the caller.
 * @throws FileError for a file that must not replace the last good one
 */
export async function examineFile(
  deps: Deps,
  connection: ConnectionRow,
  { published, changes, drafts, mediaType, ...read }: ArrivedFile,
): Promise<ExaminedFile> {
  const { file, keys, report } = read
  await checkFile(deps, connection, report, mediaType)
  const verdict = await judgeFile(deps, connection, { published, changes, ...read })
  const isHeld = verdict.isDiscarded || verdict.reasons.length > 0
  if (!isStored(read, published)) {
    await drafts.file.commit(file)
    if (keys) await drafts.keys.commit(keys.content)
  }
  if (!published || !changes || isHeld) return { ...read, verdict, gone: NO_GONE_ITEMS }
  const { facts: older, file: replaced } = published
  const list = { older, known: replaced.gone, draft: drafts.gone }
  return { ...read, verdict, gone: await storeGoneItems(deps, list, changes.gone) }
}

/** Most sources that do not tell whether they have changed send what is published. */
const isStored = ({ file, keys }: ReadFile, published: Published | undefined) =>
  published?.facts.sha256 === file.sha256 &&
  published.facts.keysSha256 === (keys?.content.sha256 ?? null)

/** What is to become of a readable file: it is published without reasons to hold it. */
type Verdict = {
  reasons: HoldReason[]
  /** Whether somebody has decided that this content is not to be published. */
  isDiscarded: boolean
  /** How it differs from the published file; null when that cannot be told. */
  difference: Comparison | null
}

const FINE: Verdict = { reasons: [], isDiscarded: false, difference: null }

async function judgeFile(
  deps: Deps,
  { id, guard, columnPolicy: { roles } }: ConnectionRow,
  {
    published,
    changes,
    file,
    report,
    overlay,
  }: ReadFile & Pick<ArrivedFile, 'published' | 'changes'>,
): Promise<Verdict> {
  if (!published) return FINE
  const { facts: before } = published
  const isSameReading = isDeepStrictEqual(before.categoryReading, report.categoryReading)
  if (before.sha256 === file.sha256 && isSameReading) return FINE
  const refused = await findRefusedContent(deps.db, id, file.sha256)
  const difference = changes?.difference ?? null
  const after = {
    ...report,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    fromOverlay: overlay && toAppliedOverlay(overlay),
  }
  const reasons = findHoldReasons(guard, { before, after }, { roles, difference })
  const isRolledBack = refused !== undefined && refused.rolledBackAt !== null
  const isDiscarded = refused !== undefined && refused.discardedAt !== null
  if (isRolledBack) reasons.unshift({ rule: 'rolled-back', fileName: refused.fileName })
  return { reasons, isDiscarded, difference }
}
