import type { AlertKind } from '../../../../shared/alerts'
import { HOUR_MS } from '../../../../shared/durations'
import type { EventDetails } from '../../../../shared/schemas/alert'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { ProblemRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { recordEvent, type Subject } from './events'
import {
  findProblem,
  listOpenProblems,
  listSettledProblems,
  putProblem,
  updateProblem,
} from './problems.queries'

/** A problem that comes again within this time after its end is the same one. */
const RETURN_WINDOW_MS = 6 * HOUR_MS
/** How long a problem that came again must stay open, or solved, until people are told. */
const SETTLE_MS = HOUR_MS

/** The problems of a feed, whose end is told as its recovery. */
const SOURCE_PROBLEMS = ['feed.failed', 'feed.held', 'feed.late'] as const
type SourceProblem = (typeof SOURCE_PROBLEMS)[number]
export type ProblemKind =
  | SourceProblem
  | 'retailer.silent'
  | 'backup.failed'
  | 'backup.test-failed'
  | 'scheduler.stalled'

type Opening = { kind: ProblemKind; now: number; details: EventDetails }

/**
 * Records that there is a problem, and tells of it once: while it is open, only its details change. One
 * that comes again soon after its end is told when it has stayed for an hour.
 */
export async function openProblem(
  trx: WriteTransaction,
  about: Subject,
  { kind, now, details: facts }: Opening,
): Promise<void> {
  const details = { ...about.names, ...facts }
  const known = await findProblem(trx, kind, about.key)
  if (!known || isOver(known, now)) {
    const eventId = await recordEvent(trx, about, { kind, now, details })
    await putProblem(trx, {
      ...toColumns(about),
      kind,
      details,
      openedAt: now,
      lastSeenAt: now,
      closedAt: null,
      isToldOpen: true,
      settlesAt: null,
      eventId,
    })
    return
  }
  const returned = { closedAt: null, settlesAt: now + SETTLE_MS }
  const changes = { details, lastSeenAt: now, ...(known.closedAt !== null && returned) }
  await updateProblem(trx, known.id, changes)
}

/** A clock that was ahead may have closed it in the future. */
const isOver = ({ closedAt }: ProblemRow, now: number) =>
  closedAt !== null && Math.abs(now - closedAt) >= RETURN_WINDOW_MS

function toColumns({ key: subject, supplierId, connectionId, retailerId }: Subject) {
  return { subject, supplierId, connectionId, retailerId }
}

/**
 * Records that problems are solved, and tells of all that people knew of with one recovery.
 * @param isTold false when something else is told instead
 */
export async function closeProblems(
  trx: WriteTransaction,
  about: Subject,
  {
    kinds,
    now,
    details,
    isTold = true,
  }: { kinds: readonly ProblemKind[]; now: number; details?: EventDetails; isTold?: boolean },
): Promise<void> {
  const open = await listOpenProblems(trx, about.key, kinds)
  const told = open.filter((problem) => problem.settlesAt === null && problem.isToldOpen)
  for (const problem of open) {
    const end = told.includes(problem) ? { isToldOpen: false } : { settlesAt: now + SETTLE_MS }
    await updateProblem(trx, problem.id, { closedAt: now, ...end })
  }
  if (isTold) await recordRecovery(trx, about, { now, details }, told)
}

async function recordRecovery(
  trx: WriteTransaction,
  about: Subject,
  { now, details }: { now: number; details: EventDetails | undefined },
  told: ProblemRow[],
): Promise<void> {
  if (told.some(({ kind }) => kind === 'scheduler.stalled')) {
    await recordEvent(trx, about, { kind: 'scheduler.recovered', now })
  }
  if (!told.some(({ kind }) => isSourceProblem(kind))) return
  const wasLate = told.some(({ kind }) => kind === 'feed.late')
  const kind = 'feed.recovered'
  await recordEvent(trx, about, { kind, now, details: { ...details, ...(wasLate && { wasLate }) } })
}

const isSourceProblem = (kind: AlertKind): kind is SourceProblem =>
  SOURCE_PROBLEMS.some((known) => known === kind)

/** Tells of problems that came and went, once they have stayed as they are for an hour. */
export async function settleProblems(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const { kind, subject } of await listSettledProblems(deps.db, now)) {
    await inTransaction(deps.db, async (trx) => {
      const problem = await findProblem(trx, kind, subject)
      if (!problem || problem.settlesAt === null || problem.settlesAt > now) return
      await updateProblem(trx, problem.id, {
        settlesAt: null,
        isToldOpen: problem.closedAt === null,
      })
      await tellOfSettled(trx, problem, now)
    })
  }
}

async function tellOfSettled(
  trx: WriteTransaction,
  problem: ProblemRow,
  now: number,
): Promise<void> {
  const isOpen = problem.closedAt === null
  if (isOpen === problem.isToldOpen) return
  const { subject: key, kind, supplierId, connectionId, retailerId, details } = problem
  const { reason: _, ...names } = details
  const about = { key, supplierId, connectionId, retailerId, names }
  if (isOpen) await recordEvent(trx, about, { kind, now, details })
  else await recordRecovery(trx, about, { now, details: {} }, [problem])
}
