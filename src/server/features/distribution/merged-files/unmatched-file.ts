import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { CSV_FORM, type ReadableFile } from '../../catalogue/versions/connection-files'
import { recordMergedFileRead } from './audit-merged-file'
import { requireMergedFile } from './merged-file'
import { findNewestMergedVersion } from './merged-versions.queries'
import { isStillSeen, listRelations } from './relations'

/** Opens the matching file that is in use, in its canonical form. @throws DomainError NOT_FOUND */
export async function openMatching(deps: Deps, actor: Actor): Promise<ReadableFile> {
  const { matchingSha256: sha256, matchingBytes: sizeBytes } = await requireMergedFile(
    deps.db,
    actor,
  )
  if (sha256 === null || sizeBytes === null) {
    throw new DomainError('NOT_FOUND', 'No matching file is in use')
  }
  const onRead = recordMergedFileRead(deps, actor, 'Matching file')
  // It is named by the day on which it is downloaded.
  const dataAsOf = deps.clock.now()
  return { title: 'Matching file', dataAsOf, sha256, sizeBytes, form: CSV_FORM, onRead }
}

/** Opens the list of items that matched nothing, as a matching file to be filled in. @throws DomainError NOT_FOUND */
export async function openUnmatched(deps: Deps, actor: Actor): Promise<ReadableFile> {
  const file = await requireMergedFile(deps.db, actor)
  const version = await findNewestMergedVersion(deps.db, file.id)
  const relations = await listRelations(deps.db, actor.id)
  if (!version || !isStillSeen(version.mergedFrom, relations)) {
    throw new DomainError('NOT_FOUND', 'No file is available yet')
  }
  const { unmatchedSha256: sha256, unmatchedBytes: sizeBytes, createdAt: dataAsOf } = version
  const onRead = recordMergedFileRead(deps, actor, 'Unmatched items')
  return { title: 'Unmatched items', dataAsOf, sha256, sizeBytes, form: CSV_FORM, onRead }
}
