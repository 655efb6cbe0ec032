import { randomUUID } from 'node:crypto'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { formatFileSize } from '../../../../shared/format'
import { MAX_MATCHING_BYTES } from '../../../../shared/merged-files'
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
export const saveMatching = (deps: Deps, actor: Actor, { csv }: { csv: string }): Promise<Counts> =>
  replaceMatching(deps, actor, csv.trim() === '' ? null : bytesOf(csv))

/**
 * Replaces it by a file that is sent, of any kind that is read.
 * @throws DomainError as `saveMatching`; INVALID for no bytes; TOO_LARGE; what the body throws
 */
export const receiveMatching = (
  deps: Deps,
  actor: Actor,
  body: AsyncIterable<Uint8Array>,
): Promise<Counts> => replaceMatching(deps, actor, limited(body))

async function replaceMatching(
  deps: Deps,
  actor: Actor,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Counts> {
  await requireMergedFile(deps.db, actor)
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  const read = body ? await readFile(deps, body) : undefined
  await inTransaction(deps.db, async (trx) => {
    const file = await requireMergedFile(trx, actor)
    if (read) await requireStored(trx, deps, [read.sha256])
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
async function readFile(deps: Deps, body: AsyncIterable<Uint8Array>) {
  const owner = randomUUID()
  const sent = deps.files.createDraft(owner)
  const [source, table, rewritten, keys, keyRuns, gone] = Array.from({ length: 6 }, () =>
    deps.files.createDraft(owner),
  ) as [typeof sent, typeof sent, typeof sent, typeof sent, typeof sent, typeof sent]
  const drafts = { source, table, rewritten, keys, keyRuns, gone }
  const signal = AbortSignal.timeout(60_000)
  try {
    const { sizeBytes } = await fillScratchFile(sent.path, body)
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
      { source: { type: 'STORED', path: sent.path, fileName: 'matching', sizeBytes }, signal },
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

async function* limited(body: AsyncIterable<Uint8Array>) {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_MATCHING_BYTES) throw tooLarge()
    yield chunk
  }
  // An empty one would not say that nothing is to be matched any more.
  if (bytes === 0) throw new DomainError('INVALID', 'The file is empty')
}

const tooLarge = () =>
  new DomainError(
    'TOO_LARGE',
    `The file is larger than ${formatFileSize(MAX_MATCHING_BYTES)}, the maximum size of a matching file.`,
  )
