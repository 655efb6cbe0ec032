import { sql } from 'kysely'

import type { Db } from '../../../db/open'

/** What a connection may keep. */
export type KeptAtMost = {
  versions: number
  /** Versions from before, in Unix milliseconds, are removed. */
  createdBefore: number
  /** What versions take. */
  quotaBytes: number
  /** What filtered files and compressed copies take together. */
  derivedBytes: number
  variantsOfVersion: number
}

/** A file has a copy in each content coding, which is rarely larger than itself. */
const WITH_COPIES = 3

/** Which of these connections may exceed a limit; some that exceed none are among them. */
export async function listConnectionsOverLimits(
  db: Db,
  connectionIds: readonly number[],
  most: KeptAtMost,
): Promise<Set<number>> {
  const versionBytes = sql<number>`sum("sizeBytes" + coalesce("keysBytes", 0) + coalesce("goneBytes", 0))`
  const ofVersions = await db
    .selectFrom('versions')
    .select('connectionId')
    .where('connectionId', 'in', connectionIds)
    .groupBy('connectionId')
    .having((having) =>
      having.or([
        having(having.fn.countAll(), '>', most.versions),
        having(having.fn.min('createdAt'), '<', most.createdBefore),
        having(versionBytes, '>', most.quotaBytes),
        having(sql<number>`sum("sizeBytes")`, '>', most.derivedBytes / WITH_COPIES / 2),
      ]),
    )
    .execute()
  const ofVariants = await db
    .selectFrom('variants')
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .select('versions.connectionId')
    .where('versions.connectionId', 'in', connectionIds)
    .groupBy('versions.connectionId')
    .having((having) =>
      having.or([
        having(having.fn.countAll(), '>', most.variantsOfVersion),
        having(sql<number>`sum(variants."sizeBytes")`, '>', most.derivedBytes / WITH_COPIES / 2),
      ]),
    )
    .execute()
  return new Set([...ofVersions, ...ofVariants].map(({ connectionId }) => connectionId))
}
