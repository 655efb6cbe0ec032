import type { SyncOutcome, TimelineKind } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import type {
  TimelineItem,
  TimelinePage,
  TimelinePageInput,
} from '../../../../shared/schemas/timeline'
import type { AuditEntryRow } from '../../../db/schema'
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

/** A sync begins so soon after somebody has started it, unless others are waiting. */
const MAX_WAIT_MS = 2 * MINUTE_MS

const OUTCOMES: Record<Exclude<TimelineKind, 'people'>, readonly SyncOutcome[]> = {
  files: ['published', 'held'],
  failures: ['failed', 'postponed', 'cancelled'],
}

type Run = Awaited<ReturnType<typeof listSyncRunsBefore>>[number]
type Event = { at: number; run: Run; begun?: AuditEntryRow } | { at: number; entry: AuditEntryRow }
/** A line, with the time of the oldest event in it. */
type Line = { at: number; oldest: number; item: TimelineItem }

/**
 * Returns a page of what happened to a connection, newest first: its syncs, and what people did to it.
 * Syncs that found nothing new are one line, as are a sync and what somebody did that it began with.
 */
export async function pageTimeline(
  deps: Deps,
  actor: Actor,
  { id, kind, cursor = Number.MAX_SAFE_INTEGER }: TimelinePageInput,
): Promise<TimelinePage> {
  const connection = await loadConnection(deps.db, actor, id)
  const runs = await listRuns(deps, connection.id, { kind, before: cursor })
  const subject = { noun: 'connection', subjectId: connection.id } as const
  const entries = await listAuditEntries(deps.db, subject, {
    before: { at: cursor, id: 0 },
    limit: LINES,
  })
  const isOfRuns = kind === 'files' || kind === 'failures'
  // What is older than this is on the next pages, because not all of it has been read.
  const readSince = Math.max(
    runs.length === MAX_RUNS ? (runs.at(-1)?.startedAt ?? 0) : 0,
    entries.length === LINES && !isOfRuns ? (entries.at(-1)?.at ?? 0) : 0,
  )
  const events: Event[] = [
    ...runs.map((run) => ({ at: run.startedAt, run })),
    ...entries.map((entry) => ({ at: entry.at, entry })),
  ]
  const read = events.filter(({ at }) => at >= readSince).toSorted((a, b) => b.at - a.at)
  const told = joinBeginnings(read).filter((event) => !isOfRuns || 'run' in event)
  const lines = fold(told.map((event) => toLine(deps, actor, event)))
  const shown = lines.slice(0, LINES)
  const last = shown.at(-1)
  const hasMore = lines.length > LINES || readSince > 0
  return { items: shown.map(({ item }) => item), next: hasMore && last ? last.oldest : null }
}

async function listRuns(
  { db }: Deps,
  connectionId: number,
  { kind, before }: { kind: TimelineKind | undefined; before: number },
): Promise<Run[]> {
  if (kind === 'people') return []
  const outcomes = kind && OUTCOMES[kind]
  return listSyncRunsBefore(db, connectionId, { before, limit: MAX_RUNS, outcomes })
}

/** Joins each sync with what somebody did just before it that began it. Events are newest first. */
function joinBeginnings(events: Event[]): Event[] {
  return events.flatMap((event, index) => {
    if (hasBegun(events[index - 1], event)) return []
    const before = events[index + 1]
    return 'run' in event && before && 'entry' in before && hasBegun(event, before)
      ? [{ ...event, begun: before.entry }]
      : [event]
  })
}

function hasBegun(later: Event | undefined, earlier: Event): boolean {
  if (!later || !('run' in later) || !('entry' in earlier)) return false
  const { run } = later
  const { action, count, at } = earlier.entry
  if (count > 1 || run.startedAt - at > MAX_WAIT_MS) return false
  if (action === 'connection.sync') return true
  const isReceived = action === 'connection.receive-file' || action === 'connection.receive-by-link'
  // Of a sync that has brought no file it is not known from where it would have been.
  return isReceived && (run.received !== null || run.fileName === null)
}

function toLine(deps: Deps, actor: Actor, event: Event): Line {
  if ('entry' in event) {
    const { id, at } = event.entry
    const entry = toAuditEntry(event.entry, actor)
    return { at, oldest: at, item: { kind: 'change', id, at: entry.at, entry } }
  }
  const { run, begun } = event
  const { id, startedAt, finishedAt, outcome } = run
  const at = toInstant(startedAt)
  if (outcome === 'unchanged' && !begun) {
    const item = { kind: 'checks', id, at, since: at, count: 1 } as const
    return { at: startedAt, oldest: startedAt, item }
  }
  const item = {
    kind: 'sync',
    id,
    at,
    outcome,
    reason: withFetchAllowAdvice(actor.role, run.error, deps.config),
    rows: run.rowCount,
    bytes: run.sizeBytes,
    durationMs: finishedAt === null ? null : finishedAt - startedAt,
    begun: begun ? toAuditEntry(begun, actor) : null,
    fileName: run.fileName,
    source: toRunSource(run),
    update: toRunUpdate(run),
    joined: toRunJoin(run),
  } as const
  return { at: startedAt, oldest: begun?.at ?? startedAt, item }
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
