import type {
  TimelineItem,
  TimelinePage,
  TimelinePageInput,
} from '../../../../shared/schemas/timeline'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant } from '../../../domain/instant'
import { loadConnection } from '../../catalogue/connections/connections'
import { listSyncRunsBefore } from '../../catalogue/connections/sync-runs.queries'
import { toRunJoin, toRunSource, toRunUpdate } from '../../catalogue/versions/file-source'
import { listAuditEntries } from '../../people/audit/audit-entries.queries'
import { toAuditEntry } from '../../people/audit/audit-log'

const LINES = 40
/** Many of them become one line. */
const MAX_RUNS = 500

type Run = Awaited<ReturnType<typeof listSyncRunsBefore>>[number]
/** A line, with the time of the oldest event in it. */
type Line = { at: number; oldest: number; item: TimelineItem }

/**
 * Returns a page of what happened to a connection, newest first: its syncs, and what people did to it.
 * Syncs that found nothing new are one line.
 */
export async function pageTimeline(
  deps: Deps,
  actor: Actor,
  { id, cursor = Number.MAX_SAFE_INTEGER }: TimelinePageInput,
): Promise<TimelinePage> {
  const connection = await loadConnection(deps.db, actor, id)
  const runs = await listSyncRunsBefore(deps.db, connection.id, { before: cursor, limit: MAX_RUNS })
  const subject = { noun: 'connection', subjectId: connection.id } as const
  const entries = await listAuditEntries(deps.db, subject, {
    before: { at: cursor, id: 0 },
    limit: LINES,
  })
  // What is older than this is on the next pages, because not all of it has been read.
  const readSince = Math.max(
    runs.length === MAX_RUNS ? (runs.at(-1)?.startedAt ?? 0) : 0,
    entries.length === LINES ? (entries.at(-1)?.at ?? 0) : 0,
  )
  const events = [
    ...runs.map((run) => toSyncLine(run, withFetchAllowAdvice(actor.role, run.error, deps.config))),
    ...entries.map((entry): Line => {
      const { id: entryId, at } = entry
      const told = toAuditEntry(entry, actor)
      return { at, oldest: at, item: { kind: 'change', id: entryId, at: told.at, entry: told } }
    }),
  ]
  const lines = fold(events.filter(({ at }) => at >= readSince).toSorted((a, b) => b.at - a.at))
  const shown = lines.slice(0, LINES)
  const last = shown.at(-1)
  const hasMore = lines.length > LINES || readSince > 0
  return { items: shown.map(({ item }) => item), next: hasMore && last ? last.oldest : null }
}

function toSyncLine(run: Run, reason: string | null): Line {
  const { id, startedAt, finishedAt, outcome } = run
  const at = toInstant(startedAt)
  if (outcome === 'unchanged') {
    const item = { kind: 'checks', id, at, since: at, count: 1 } as const
    return { at: startedAt, oldest: startedAt, item }
  }
  const item = {
    kind: 'sync',
    id,
    at,
    outcome,
    reason,
    rows: run.rowCount,
    bytes: run.sizeBytes,
    durationMs: finishedAt === null ? null : finishedAt - startedAt,
    source: toRunSource(run),
    update: toRunUpdate(run),
    joined: toRunJoin(run),
  } as const
  return { at: startedAt, oldest: startedAt, item }
}

/** Joins neighbouring checks. */
function fold(lines: Line[]): Line[] {
  const folded: Line[] = []
  for (const line of lines) {
    const last = folded.at(-1)
    if (last?.item.kind === 'checks' && line.item.kind === 'checks') {
      const item = { ...last.item, since: line.item.since, count: last.item.count + 1 }
      folded[folded.length - 1] = { ...last, oldest: line.oldest, item }
    } else folded.push(line)
  }
  return folded
}
