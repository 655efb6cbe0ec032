import type { MergedFileRow, MergedVersionRow, NewMergedVersionRow } from '../../../db/schema'
import type { MergedOutputRow } from '../../../db/schema'
import { toFingerprint, type MergedFrom } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { filterOne } from '../../../files/filter-one'
import { MERGED_KEY, MERGED_POLICY, toMergedFormat } from './merged-selection'
import type { ReadyPart } from './update-parts'

type Run = { leaseToken: string; signal: AbortSignal }

/** Names what a merged file is made of. */
export function fingerprintOf(file: MergedFileRow, parts: readonly ReadyPart[]): string {
  const terms = parts.map(({ row, relation, sha256, isStale }) => [
    row.retailerId,
    relation.retailer.supplierName,
    relation.seenKey,
    row.prefix,
    row.currency,
    sha256,
    isStale,
  ])
  return toFingerprint([file.mergedRules, file.profile, terms])
}

/** Merges parts, and lists the items that have left since an older version. */
export async function makeVersion(
  deps: Deps,
  {
    file,
    parts,
    older,
  }: {
    file: MergedFileRow
    parts: readonly ReadyPart[]
    /** Of which all may still be seen; undefined for none. */
    older: MergedVersionRow | undefined
  },
  run: Run,
): Promise<NewMergedVersionRow> {
  const { quantity, priceRules, currency } = file.mergedRules
  const drafts = {
    rows: deps.files.createDraft(run.leaseToken),
    keys: deps.files.createDraft(run.leaseToken),
    unmatched: deps.files.createDraft(run.leaseToken),
    gone: deps.files.createDraft(run.leaseToken),
  }
  try {
    const files = await Promise.all(parts.map(({ sha256 }) => deps.files.locate(sha256)))
    const { content, keys, unmatched, ...facts } = await deps.readers.run(
      'mergedFile',
      {
        parts: parts.map(({ row, relation, sizeBytes, isStale }, place) => ({
          file: files[place] ?? '',
          sizeBytes,
          supplier: relation.retailer.supplierName ?? row.prefix,
          prefix: row.prefix,
          currency: row.currency ?? currency,
          isStale,
        })),
        drafts: {
          rows: drafts.rows.path,
          keys: drafts.keys.path,
          unmatched: drafts.unmatched.path,
        },
        quantity,
        priceRules,
      },
      { signal: run.signal },
    )
    await drafts.rows.commit(content)
    await drafts.keys.commit(keys)
    await drafts.unmatched.commit(unmatched)
    const gone = older && (await listGone(deps, { older, content, keys, draft: drafts.gone }, run))
    return {
      mergedFileId: file.id,
      mergedFrom: toMergedFrom(parts, gone ? older : undefined),
      fingerprint: fingerprintOf(file, parts),
      ...content,
      keysSha256: keys.sha256,
      keysBytes: keys.sizeBytes,
      unmatchedSha256: unmatched.sha256,
      unmatchedBytes: unmatched.sizeBytes,
      goneSha256: gone?.sha256 ?? null,
      goneBytes: gone?.sizeBytes ?? null,
      ...facts,
      createdAt: deps.clock.now(),
    }
  } finally {
    await Promise.all(Object.values(drafts).map((draft) => draft.discard()))
  }
}

function toMergedFrom(
  parts: readonly ReadyPart[],
  older: MergedVersionRow | undefined,
): MergedFrom {
  const before = older ? [...older.mergedFrom.parts, ...older.mergedFrom.gone] : []
  const gone = new Map(
    before.map(({ retailerId, seenKey }) => [retailerId, { retailerId, seenKey }]),
  )
  return {
    parts: parts.map(({ row, relation, dataAt, isStale }) => ({
      retailerId: row.retailerId,
      seenKey: relation.seenKey,
      versionId: row.versionId,
      dataAt,
      isStale,
    })),
    gone: [...gone.values()],
  }
}

type Stored = { sha256: string; sizeBytes: number }

async function listGone(
  deps: Deps,
  {
    older,
    keys,
    draft,
  }: {
    older: MergedVersionRow
    content: Stored
    keys: Stored
    draft: ReturnType<Deps['files']['createDraft']>
  },
  { signal }: Run,
): Promise<Stored | undefined> {
  const { files, clock } = deps
  const { content } = await deps.readers.run(
    'goneItems',
    {
      keyColumn: MERGED_KEY,
      roles: MERGED_POLICY.roles,
      categoryReading: null,
      now: clock.now(),
      older: {
        file: await files.locate(older.sha256),
        keys: await files.locate(older.keysSha256),
        keysBytes: older.keysBytes,
        gone: older.goneSha256 === null ? null : await files.locate(older.goneSha256),
      },
      newer: { keys: await files.locate(keys.sha256), keysBytes: keys.sizeBytes, rows: null },
      draft: draft.path,
    },
    { signal },
  )
  if (!content) return undefined
  await draft.commit(content)
  return content
}

type WrittenOutput = Stored & Pick<MergedOutputRow, 'rowCount' | 'problems'>

/** Writes a version in a form. */
export async function writeOutput(
  deps: Deps,
  version: Pick<NewMergedVersionRow, 'sha256' | 'sizeBytes' | 'rowCount' | 'goneSha256'>,
  { profile, form }: Pick<MergedOutputRow, 'profile' | 'form'>,
  { leaseToken, signal }: Run,
): Promise<WrittenOutput> {
  const format = toMergedFormat(profile, form)
  const { sha256, sizeBytes, rowCount, goneSha256 } = version
  if (!format) return { sha256, sizeBytes, rowCount, problems: [] }
  const draft = deps.files.createDraft(leaseToken)
  try {
    const file = await deps.files.locate(sha256)
    const gone =
      typeof goneSha256 === 'string'
        ? { keyColumn: MERGED_KEY, file: await deps.files.locate(goneSha256) }
        : undefined
    const selection = { categoryReading: null, categories: null, format, gone }
    const task = { file, draft: draft.path, ...selection }
    const { content, rowCount: written, problems } = await filterOne(deps.readers, task, { signal })
    await draft.commit(content)
    return { ...content, rowCount: written, problems }
  } finally {
    await draft.discard()
  }
}
