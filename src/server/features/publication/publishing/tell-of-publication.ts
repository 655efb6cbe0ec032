import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { aboutConnection, recordEvent } from '../../alerting/alerts/events'
import { closeProblems, openProblem } from '../../alerting/alerts/problems'
import type { Publication } from './publish-file'

/**
 * Tells what became of a file. Of several held files only the first is told; a source whose file can be
 * read no longer fails.
 */
export async function tellOfPublication(
  trx: WriteTransaction,
  connection: ConnectionRow,
  publication: Publication,
  now: number,
): Promise<void> {
  const about = aboutConnection(connection)
  if (publication.outcome === 'held') {
    const details = { reason: publication.reason }
    await openProblem(trx, about, { kind: 'feed.held', now, details })
    await closeProblems(trx, about, { kinds: ['feed.failed'], now, isTold: false })
  } else if (publication.outcome === 'discarded') {
    const kinds = ['feed.failed', 'feed.held'] as const
    await closeProblems(trx, about, { kinds, now, isTold: false })
  } else {
    const isNew = publication.outcome === 'published'
    if (isNew) await tellOfPublished(trx, about, publication, now)
    const kinds = ['feed.failed', 'feed.held', 'feed.late'] as const
    const reason = isNew ? 'A new file is published.' : 'The file has what is published.'
    await closeProblems(trx, about, { kinds, now, details: { reason } })
  }
}

/** Tells what the supplier has decided of a file; `published` is null for one that was discarded. */
export async function tellOfDecision(
  trx: WriteTransaction,
  connection: ConnectionRow,
  published: { rowCount: number } | null,
  now: number,
): Promise<void> {
  const about = aboutConnection(connection)
  if (published) await tellOfPublished(trx, about, published, now)
  const reason = published
    ? 'A file was published by hand.'
    : 'The held file was discarded, and retailers keep the one they have.'
  await closeProblems(trx, about, { kinds: ['feed.held'], now, details: { reason } })
}

async function tellOfPublished(
  trx: WriteTransaction,
  about: ReturnType<typeof aboutConnection>,
  { rowCount }: { rowCount: number },
  now: number,
): Promise<void> {
  await recordEvent(trx, about, { kind: 'feed.published', now, details: { rowCount } })
}
