import type { Gap, UpdateSettings, UpdateSettingsInput } from '../../../../shared/schemas/updates'
import type { Db } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { findGaps, findKeyedVersion } from '../versions/updated-versions.queries'
import { describeKeyProblem, updatedVersionId } from './update-base'

/** What a supplier decides anew of updates; undefined: nothing. */
type NewSettings = UpdateSettingsInput | null | undefined

export const toUpdateSettings = ({
  removal,
  fullName,
  nextIsFull = false,
}: UpdateSettingsInput): UpdateSettings => ({ removal, fullName, nextIsFull })

/** What was said of the next file stays if nothing is said of it. */
export function changeUpdates(known: UpdateSettings | null, input: NewSettings) {
  if (!input) return input === undefined ? known : null
  return toUpdateSettings({ ...input, nextIsFull: input.nextIsFull ?? known?.nextIsFull ?? false })
}

/**
 * Refuses updates of a file in which their rows cannot be found, unless a full file comes next.
 * @throws DomainError INVALID
 */
export async function requireUpdatable(
  db: Db,
  { updates, ...connection }: ConnectionRow,
  input: NewSettings,
): Promise<void> {
  if (!input || updates || input.nextIsFull) return
  const version = await findKeyedVersion(db, updatedVersionId(connection))
  const problem = version && describeKeyProblem(version)
  if (!problem) return
  throw new DomainError('INVALID', `The published file cannot be updated: ${problem}`, {
    field: 'updates',
  })
}

/**
 * Finds what of its address has been read when a connection begins or ceases to take updates: the full file that is
 * published is no update of itself, and an update that has been merged is to be read as a full file.
 */
export async function findOutdated(
  db: Db,
  { updates, outdatedSha256, publishedVersionId }: ConnectionRow,
  input: NewSettings,
): Promise<ConnectionChanges> {
  if (input === undefined || (input !== null) === (updates !== null)) return {}
  if (input === null) return { outdatedSha256: null }
  const published = await findKeyedVersion(db, publishedVersionId)
  return { outdatedSha256: outdatedSha256 ?? published?.sha256 ?? null }
}

/** Finds what the published files of connections lack that take updates, by their ids. */
export async function readGaps(
  { db }: Deps,
  rows: readonly ConnectionRow[],
): Promise<Map<number, Gap>> {
  const published = new Map(
    rows.flatMap(({ id, updates, publishedVersionId }) =>
      updates && publishedVersionId !== null ? [[id, publishedVersionId] as const] : [],
    ),
  )
  const found = await findGaps(db, [...published.values()])
  const gaps = new Map<number, Gap>()
  for (const [id, versionId] of published) {
    const gap = found.get(versionId)
    if (gap) gaps.set(id, { at: toInstant(gap.at), cause: gap.cause })
  }
  return gaps
}
