import { randomUUID } from 'node:crypto'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'
import type { FileTasks } from '../../../files/file-readers'
import { fillScratchFile } from '../../../storage/scratch-file'
import { requireStored } from '../stored-files/storage-cleaning'
import { auditMergedFile } from './audit-merged-file'
import { queueMergedFiles } from './make-merged-files'
import { requireMergedFile } from './merged-file'
import { updateMergedFile } from './merged-files.queries'

type Counts = FileTasks['matching']['result']
const NO_COUNTS: Counts = { used: 0, unusable: 0, repeated: 0 }

/**
 * Replaces the matching file of the retailer, or removes it if the text is empty.
 * @throws DomainError NOT_FOUND before the merged file was saved; INVALID for a file that cannot be read; THROTTLED
 */
export async function saveMatching(
  deps: Deps,
  actor: Actor,
  { csv }: { csv: string },
): Promise<Counts> {
  await requireMergedFile(deps.db, actor)
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  const read = csv.trim() === '' ? undefined : await readFile(deps, csv)
  await inTransaction(deps.db, async (trx) => {
    const file = await requireMergedFile(trx, actor)
    if (read) await requireStored(trx, deps, read.sha256)
    await updateMergedFile(trx, file, {
      matchingSha256: read?.sha256 ?? null,
      matchingBytes: read?.sizeBytes ?? null,
      matchingRows: read?.counts.used ?? null,
      checkAt: deps.clock.now(),
      madeAt: null,
    })
    await auditMergedFile(trx, deps, 'save-matching', actor, {
      before: { matchedItems: file.matchingRows, file: file.matchingSha256 },
      after: { matchedItems: read?.counts.used ?? null, file: read?.sha256 ?? null },
    })
  })
  await queueMergedFiles(deps)
  return read?.counts ?? NO_COUNTS
}

/** Reads a file as people save it, stores it in its canonical form, and counts what it says. */
async function readFile(deps: Deps, csv: string) {
  const owner = randomUUID()
  const sent = deps.files.createDraft(owner)
  const [source, table, rewritten, keys, keyRuns, gone] = Array.from({ length: 6 }, () =>
    deps.files.createDraft(owner),
  ) as [typeof sent, typeof sent, typeof sent, typeof sent, typeof sent, typeof sent]
  const drafts = { source, table, rewritten, keys, keyRuns, gone }
  const signal = AbortSignal.timeout(60_000)
  try {
    const { sizeBytes } = await fillScratchFile(sent.path, bytesOf(csv))
    const result = await deps.readers.run(
      'ingest',
      {
        drafts: {
          source: source.path,
          table: table.path,
          rewritten: rewritten.path,
          keys: keys.path,
          keyRuns: keyRuns.path,
          gone: gone.path,
        },
        keys: { roles: AUTOMATIC_ROLES, stockTexts: [] },
        categoryReading: null,
        reading: AUTOMATIC_READING,
        previousEncoding: null,
      },
      { source: { type: 'STORED', path: sent.path, fileName: 'matching.csv', sizeBytes }, signal },
    )
    if (result.kind !== 'file') throw new Error('A matching file was not read')
    await drafts[result.draft].commit(result.content)
    const { sha256 } = result.content
    const counts = await deps.readers.run(
      'matching',
      { file: await deps.files.locate(sha256) },
      { signal },
    )
    return { ...result.content, counts }
  } catch (error) {
    if (error instanceof FileError)
      throw new DomainError('INVALID', error.message, { field: 'csv' })
    throw error
  } finally {
    await Promise.all([sent, ...Object.values(drafts)].map((draft) => draft.discard()))
  }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}
