import { delimiterOf } from '../../../../shared/shop-formats'
import type { MergedOutputRow, MergedVersionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { FileError } from '../../../files/file-error'
import { writeOutput } from './make-version'
import { MERGED_KEY, toMergedFormat } from './merged-selection'
import { findMergedOutput } from './merged-versions.queries'

type Run = { leaseToken: string; signal: AbortSignal }
type Written = Awaited<ReturnType<typeof writeOutput>>

/** Writes an output that was asked for; a delta that cannot be written is the whole file. */
export async function makeOutput(
  deps: Deps,
  output: MergedOutputRow,
  version: MergedVersionRow,
  run: Run,
): Promise<Written> {
  const { sinceVersionId, form, profile } = output
  if (sinceVersionId === 0) return writeOutput(deps, version, output, run)
  const find = (mergedVersionId: number) =>
    findMergedOutput(deps.db, { mergedVersionId, form, sinceVersionId: 0 })
  const newer = await find(version.id)
  const older = await find(sinceVersionId)
  const whole = newer?.sha256 ? newer : await writeOutput(deps, version, output, run)
  const { sha256, sizeBytes, rowCount, problems } = whole
  if (sha256 === null || sizeBytes === null) throw new Error('The whole file is not there')
  if (!older?.sha256) return { sha256, sizeBytes, rowCount, problems }
  const draft = deps.files.createDraft(run.leaseToken)
  try {
    const format = toMergedFormat(profile, form)
    const result = await deps.readers
      .run(
        'delta',
        {
          older: { file: await deps.files.locate(older.sha256), selection: null },
          newer: await deps.files.locate(sha256),
          version: { file: await deps.files.locate(version.sha256), keyColumn: MERGED_KEY, format },
          delimiter: delimiterOf(profile),
          draft: draft.path,
        },
        { signal: run.signal },
      )
      .catch((error: unknown) => {
        if (!(error instanceof FileError) || run.signal.aborted) throw error
        return null
      })
    if (!result || result.rowCount === null) return { sha256, sizeBytes, rowCount, problems }
    await draft.commit(result.content)
    return { ...result.content, rowCount: result.rowCount, problems: [] }
  } finally {
    await draft.discard()
  }
}
