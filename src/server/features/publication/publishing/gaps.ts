import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredGap } from '../../../db/stored-json'
import { findGaps } from '../../catalogue/versions/updated-versions.queries'
import { updateVersion } from '../../catalogue/versions/version-history.queries'

type Opened = { cause: StoredGap['cause']; now: number }

/** Records that the published file, and the one that is held, lack what an update said. */
export async function openGaps(
  trx: WriteTransaction,
  { publishedVersionId, heldVersionId }: Owned<ConnectionRow>,
  gap: Opened,
): Promise<void> {
  for (const id of [publishedVersionId, heldVersionId]) if (id !== null) await openGap(trx, id, gap)
}

/** Records that a version lacks what an update said. The first of them counts: since then, it is incomplete. */
export async function openGap(
  trx: WriteTransaction,
  versionId: number,
  { cause, now: at }: Opened,
): Promise<void> {
  if (!(await findGap(trx, versionId))) await updateVersion(trx, versionId, { gap: { at, cause } })
}

/** A full file has everything again. */
export async function closeGap(trx: WriteTransaction, versionId: number): Promise<void> {
  if (await findGap(trx, versionId)) await updateVersion(trx, versionId, { gap: null })
}

export const findGap = async (trx: WriteTransaction, versionId: number | null) =>
  versionId === null ? null : ((await findGaps(trx, [versionId])).get(versionId) ?? null)
