import { isDeepStrictEqual } from 'node:util'

import type { ShopFormat } from '../../../../shared/schemas/shop-format'
import type { Db } from '../../../db/open'
import type { MergedFileRow, MergedOutputRow } from '../../../db/schema'
import { toFingerprint } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileInPreparation } from '../../../domain/file-in-preparation'
import { findOldestData, findOutput, findSeenVersion } from './merged-reads'
import { toMergedForm } from './merged-selection'
import { findMergedVersion, listMergedOutputs, listMergedVersions } from './merged-versions.queries'
import { isStillSeen, listRelations } from './relations'

const VERSION_NAME = 'Merged inventory'

/** How the output in another shop format than the merged file's own is told from others. */
const formOf = (profile: ShopFormat | null): MergedOutputRow['form'] =>
  profile ? `format ${toFingerprint(profile)}` : 'own'

/**
 * Finds the merged file that a destination gets now, or has it made.
 * @param profile the form in which it gets it; null: the merged file's own
 */
export async function findMergedToSend(
  deps: Deps,
  file: MergedFileRow,
  profile: ShopFormat | null,
) {
  try {
    const { version } = await findSeenVersion(deps, file)
    const form = formOf(profile)
    const asked = { ...file, ...(profile && { profile }) }
    const output = await findOutput(deps, { file: asked, version, form, sinceVersionId: 0 })
    const { sha256, sizeBytes, rowCount } = output
    return {
      status: 'ready' as const,
      sha256,
      sizeBytes,
      rowCount,
      form: toMergedForm(output.profile, form),
      version: { id: version.id, fileName: VERSION_NAME },
      // The next version makes its destinations due.
      until: Infinity,
    }
  } catch (error) {
    if (error instanceof FileInPreparation) return { status: 'processing' as const }
    if (!(error instanceof DomainError)) throw error
    return { status: error.code === 'NOT_FOUND' ? ('none' as const) : ('failed' as const) }
  }
}

/** Whether a file that was made to be sent has only what its retailer may see now, in the form that is wanted now. */
export async function isMergedStillSeen(
  db: Db,
  file: MergedFileRow,
  profile: ShopFormat | null,
  sha256: string,
): Promise<boolean> {
  const relations = await listRelations(db, file.userId)
  const versions = await listMergedVersions(db, file.id)
  const seen = new Set(
    versions.filter(({ mergedFrom }) => isStillSeen(mergedFrom, relations)).map(({ id }) => id),
  )
  const form = formOf(profile)
  return (await listMergedOutputs(db, file.id)).some(
    (output) =>
      output.sha256 === sha256 &&
      output.form === form &&
      output.sinceVersionId === 0 &&
      seen.has(output.mergedVersionId) &&
      isDeepStrictEqual(output.profile, profile ?? file.profile),
  )
}

/** A version that was sent, with from when its oldest data are; undefined once it is not kept any more. */
export async function findSentVersion(db: Db, { userId }: MergedFileRow, mergedVersionId: number) {
  const version = await findMergedVersion(db, mergedVersionId)
  if (!version) return undefined
  const dataAsOf = await findOldestData({ db }, version, await listRelations(db, userId))
  return { id: version.id, dataAsOf, mergedFrom: version.mergedFrom }
}
