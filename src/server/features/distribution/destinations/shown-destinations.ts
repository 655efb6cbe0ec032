import type { Destination, DestinationList } from '../../../../shared/schemas/destination'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import type { DestinationRow, DispatchRow } from '../../../db/schema'
import { isViewed, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { showDestinationConfig } from './destination-address'
import { listDestinationRows, listMailPeople } from './destinations.queries'
import { hasDispatches, listWaitingDispatches, readSentRows } from './dispatches.queries'
import type { SentFile } from './sent-file'

/** The destinations of a file, as the viewer sees them. */
export async function showDestinations(
  deps: Deps,
  viewer: Actor,
  of: SentFile,
): Promise<DestinationList> {
  const rows = await listDestinationRows(deps.db, of)
  const waiting = await listWaitingDispatches(deps.db, of)
  const sentRows = await readSentRows(deps.db, of)
  const isOwn = viewer.role === 'RETAILER' && !isViewed(viewer)
  const people = await listMailPeople(deps.db, of.userId)
  return {
    destinations: rows.map((row) =>
      toDestination(deps, viewer, {
        row,
        waiting: waiting.filter(({ destinationId }) => destinationId === row.id),
        sentRows: sentRows.get(row.id),
      }),
    ),
    timeZone: of.timeZone,
    people: people.map(({ id, username, address }) => ({
      id,
      name: username,
      address: isOwn ? address : maskMail(address),
    })),
    hasMail: deps.mail !== null,
    hasDispatches: await hasDispatches(deps.db, of),
  }
}

const maskMail = (address: string | null) =>
  address && `${SECRET_MASK}${address.slice(address.lastIndexOf('@'))}`

type Found = { row: DestinationRow; waiting: DispatchRow[]; sentRows: number | undefined }

function toDestination(deps: Deps, viewer: Actor, { row, waiting, sentRows }: Found): Destination {
  const now = deps.clock.now()
  const tried = waiting.find(({ answer }) => answer !== null)
  const state = toState(row, waiting, now)
  const reason = state === 'paused' ? row.pausedReason : (tried?.answer ?? null)
  const next = waiting.map(({ nextAttemptAt }) => nextAttemptAt ?? now)
  const isWaitedFor = row.times.length > 0 && row.isActive && row.pausedAt === null
  const nextAt = next.length > 0 ? Math.min(...next) : isWaitedFor ? row.checkAt : null
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    config: row.kind === 'mail' ? null : showDestinationConfig(deps, row, viewer),
    recipients: row.recipients,
    method: row.method,
    fileName: row.fileName,
    profile: row.profile,
    times: row.times,
    onlyIfChanged: row.onlyIfChanged,
    isActive: row.isActive,
    state,
    reason: withFetchAllowAdvice(viewer.role, reason, deps.config),
    pausedAt: toInstantOrNull(row.pausedAt),
    sentAt: toInstantOrNull(row.sentAt),
    sentRows: row.sentAt === null ? null : (sentRows ?? null),
    nextAt: toInstantOrNull(nextAt),
    createdAt: toInstant(row.createdAt),
  }
}

function toState(row: DestinationRow, waiting: DispatchRow[], now: number): Destination['state'] {
  if (!row.isActive) return 'off'
  if (row.pausedAt !== null) return 'paused'
  const isSending = waiting.some((dispatch) => isLeased(dispatch, now) || dispatch.attempts === 0)
  if (isSending) return 'sending'
  if (waiting.length > 0) return 'retrying'
  return row.sentAt === null ? 'new' : 'ok'
}
