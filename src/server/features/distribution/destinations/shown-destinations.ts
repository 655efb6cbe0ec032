import type { Destination, DestinationList } from '../../../../shared/schemas/destination'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import type { DestinationRow, DispatchRow } from '../../../db/schema'
import { isViewed, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { showDestinationConfig } from './destination-address'
import { listDestinationRows, listMailPeople } from './destinations.queries'
import { hasDispatches, listWaitingDispatches, readSentRows } from './dispatches.queries'

/** The destinations of a retailer, as the viewer sees them. */
export async function showDestinations(
  deps: Deps,
  viewer: Actor,
  retailer: RetailerRecord,
): Promise<DestinationList> {
  const rows = await listDestinationRows(deps.db, retailer)
  const waiting = await listWaitingDispatches(deps.db, retailer.id)
  const sentRows = await readSentRows(deps.db, retailer.id)
  const isOwn = viewer.role === 'RETAILER' && !isViewed(viewer)
  const people = await listMailPeople(deps.db, retailer.userId)
  return {
    destinations: rows.map((row) =>
      toDestination(deps, viewer, {
        row,
        waiting: waiting.filter(({ destinationId }) => destinationId === row.id),
        sentRows: sentRows.get(row.id),
      }),
    ),
    timeZone: retailer.timeZone,
    people: people.map(({ id, username, address }) => ({
      id,
      name: username,
      address: isOwn ? address : maskMail(address),
    })),
    hasMail: deps.mail !== null,
    hasDispatches: await hasDispatches(deps.db, retailer.id),
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
