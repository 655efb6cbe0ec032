import { MINUTE_MS } from '../../../../shared/durations'
import { startDeadline } from '../../../concurrency/deadline'
import { measureBacklog } from '../../../db/backlog.queries'
import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { THE_PRODUCT } from '../../alerting/alerts/events'
import { fanOutEvents } from '../../alerting/alerts/fan-out'
import { closeProblems, openProblem, settleProblems } from '../../alerting/alerts/problems'
import { listOpenProblemsOf } from '../../alerting/alerts/problems.queries'
import { mailSending } from '../../alerting/outbox/send-mail'
import { sendMessages } from '../../alerting/outbox/send-messages'
import { webhookSendings } from '../../alerting/webhooks/send-webhooks.job'
import { hasDueConnection } from '../../catalogue/connections/connections.queries'
import { findLastRunStart } from '../../catalogue/connections/sync-runs.queries'
import { tickIntervalMs } from './scheduler-ticks'
import { findLastTick } from './scheduler-ticks.queries'

const KIND = 'scheduler.stalled'
/** Messages that take longer continue at the next check. */
const DELIVER_WITHIN_MS = MINUTE_MS

/** Runs of each kind of messages, so that receivers of one user that hang do not hold up all. */
const RUNS_AT_ONCE = 4

/** What changes while the scheduler of any process works. */
type Signs = {
  lastTickAt: number | null
  lastSyncAt: number | null
  /** Whether a sync is due that could run, and none runs. */
  isSyncWaiting: boolean
}

/**
 * Counts checks between which nothing has changed, instead of measuring time: neither a clock that
 * jumps, nor a machine that was suspended, nor a product that did not run looks like a stop.
 */
export function createStallCheck(deps: Deps): (signal: AbortSignal) => Promise<void> {
  const limit = Math.ceil(deps.config.stalledAfterMs / tickIntervalMs(deps.config))
  let before: Signs | undefined
  let missed = 0
  return async (signal) => {
    const signs = await readSigns(deps)
    const previous = before
    before = signs
    if (!previous) return
    const isTicking = signs.lastTickAt !== previous.lastTickAt
    const isIdle = signs.isSyncWaiting && signs.lastSyncAt === previous.lastSyncAt
    missed = isTicking && !isIdle ? 0 : missed + 1
    const isOpen = (await listOpenProblemsOf(deps.db, KIND)).length > 0
    if (missed >= limit || (isOpen && missed > 0)) {
      if (!isOpen) deps.logger.error(signs, 'The scheduler has stopped')
      await openStall(deps, isTicking ? signs.lastSyncAt : signs.lastTickAt)
      await deliver(deps, signal)
    } else if (isOpen) await closeStall(deps)
  }
}

async function readSigns(deps: Deps): Promise<Signs> {
  const now = deps.clock.now()
  const isDue = await hasDueConnection(deps.db, now - tickIntervalMs(deps.config))
  return {
    lastTickAt: await findLastTick(deps.db),
    lastSyncAt: await findLastRunStart(deps.db),
    isSyncWaiting:
      isDue &&
      (await measureBacklog(deps.db, now)).runningSyncs === 0 &&
      !(await findShortage(deps)),
  }
}

async function openStall(deps: Deps, since: number | null): Promise<void> {
  const details = since === null ? {} : { since }
  await inTransaction(deps.db, (trx) =>
    openProblem(trx, THE_PRODUCT, { kind: KIND, now: deps.clock.now(), details }),
  )
  await settleProblems(deps)
}

async function closeStall(deps: Deps): Promise<void> {
  const closing = { kinds: [KIND], now: deps.clock.now() } as const
  await inTransaction(deps.db, (trx) => closeProblems(trx, THE_PRODUCT, closing))
}

/** Does what workers do otherwise: nobody else might. Leases keep both from telling twice. */
async function deliver(deps: Deps, parent: AbortSignal): Promise<void> {
  const late = () => new Error('The deliveries take too long')
  const { signal, clear } = startDeadline(DELIVER_WITHIN_MS, late, parent)
  try {
    await fanOutEvents(deps, signal)
    const sendings = [...(deps.mail ? [mailSending] : []), ...webhookSendings]
    const runs = sendings.flatMap((sending) =>
      Array.from({ length: RUNS_AT_ONCE }, () => sendMessages(deps, sending, signal)),
    )
    await Promise.all(runs)
  } finally {
    clear()
  }
}

/**
 * Starts looking, in a process that serves the web, whether the scheduler of any process works.
 * Administrators are told when it does not, and when it works again.
 * @returns a function that stops this
 */
export function watchScheduler(deps: Deps): () => Promise<void> {
  const check = createStallCheck(deps)
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false
  const checkLogged = async () => {
    try {
      await check(stop.signal)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) deps.logger.error({ err: error }, 'The scheduler could not be checked')
      hasFailed = true
    }
    if (!stop.signal.aborted) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void (checking = checkLogged()), tickIntervalMs(deps.config))
  }
  let checking = checkLogged()
  return async () => {
    stop.abort(new Error('The process is stopping'))
    clearTimeout(timer)
    await checking
  }
}
