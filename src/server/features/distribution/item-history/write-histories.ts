import { randomUUID } from 'node:crypto'

import { DAY_MS } from '../../../../shared/durations'
import { inClaim, inLossyTransaction, inTransaction } from '../../../db/open'
import type { HistoryFileRow, ItemHistoryChanges, ItemHistoryRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { deleteUnneededFiles, requireStored } from '../stored-files/storage-cleaning'
import {
  findNextVersion,
  hasWaitingHistory,
  leaseWaitingHistory,
  listHistoryFiles,
  replaceHistoryFiles,
  RETRY_AFTER_MS,
  updateLeasedHistory,
} from './item-histories.queries'
import { addVersion, type WrittenStep } from './write-history'

const UNLEASED = { leaseToken: null, leaseUntil: null } as const

/** Queues the job that writes histories of items if one waits. */
export async function queueWaitingHistories(deps: Deps): Promise<void> {
  if (await hasWaitingHistory(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'write-histories', key: 'waiting', payload: {} })
  }
}

/** Adds all published versions to the histories of their connections, one after the other. */
export async function writeWaitingHistories(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await findShortage(deps)) return
    const token = randomUUID()
    const now = deps.clock.now()
    const lease = { now, leaseToken: token, leaseUntil: now + LEASE_MS }
    const history = await inClaim(deps.db, (trx) => leaseWaitingHistory(trx, lease))
    if (!history) return
    await writeLeased(deps, history, token, signal)
  }
}

/** What comes of a run: without a step, nothing was to be added. */
type Done = {
  known: HistoryFileRow[]
  /** When the version was published that was added before. */
  after: number | null
  added: { at: number; step: WrittenStep } | null
}

function writeLeased(
  deps: Deps,
  history: ItemHistoryRow,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const lease = { connectionId: history.connectionId, token }
  const change = (changes: ItemHistoryChanges) =>
    inLossyTransaction(deps.db, (trx) => updateLeasedHistory(trx, lease, deps.clock.now(), changes))
  return runLeased<Done, void>(
    {
      renew: () => change({ leaseUntil: deps.clock.now() + LEASE_MS }),
      work: (workSignal) => addNext(deps, history, token, workSignal),
      succeed: (done) => record(deps, lease, done),
      async fail(error) {
        if (!signal.aborted) {
          const { connectionId } = history
          deps.logger.warn({ err: error, connectionId }, 'A history of items could not be written')
        }
        const waitingSince = deps.clock.now() + RETRY_AFTER_MS
        const failure = { waitingSince, obstacle: 'failed' } as const
        if (await change({ ...UNLEASED, ...(!signal.aborted && failure) })) return
        throw new LeaseLostError('Another run has taken over')
      },
      lose: async () => undefined,
    },
    signal,
  )
}

/**
 * Adds the next version. Where files of the history are gone, it begins anew with the versions that are kept: that is
 * looked at once a day, because it takes a request for each file of a bucket, and whenever a version cannot be added.
 */
async function addNext(
  deps: Deps,
  row: ItemHistoryRow,
  owner: string,
  signal: AbortSignal,
): Promise<Done> {
  const { connectionId } = row
  const known = await listHistoryFiles(deps.db, connectionId)
  const connection = await findConnection(deps.db, connectionId, {})
  const add = async (history: ItemHistoryRow, files: HistoryFileRow[]): Promise<Done> => {
    const version = await findNextVersion(deps.db, connectionId, history.versionAt)
    if (!connection || !version) return { known, after: history.versionAt, added: null }
    const step = await addVersion(deps, { history, files, connection, version, owner }, signal)
    return { known, after: version.at, added: { at: version.at, step } }
  }
  const isWhole = async () =>
    (await Promise.all(known.map(({ sha256 }) => deps.files.has(sha256)))).every(Boolean)
  const addAnew = () => add({ ...row, versionAt: null, beganAt: null, keyColumn: null }, [])
  const dayOf = (at: number | null) => Math.floor((at ?? 0) / DAY_MS)
  const isFirstOfDay = dayOf(row.versionAt) !== dayOf(deps.clock.now())
  if (isFirstOfDay && !(await isWhole())) return addAnew()
  try {
    return await add(row, known)
  } catch (error) {
    if (signal.aborted || (await isWhole())) throw error
    return addAnew()
  }
}

/** Records what was written, and deletes what it takes the place of. The history waits until nothing is left to be added. */
async function record(
  deps: Deps,
  lease: { connectionId: number; token: string },
  { known, after, added }: Done,
): Promise<void> {
  const { connectionId } = lease
  const { files, stored, ...step } = added?.step ?? { files: known, stored: [] }
  const keptIds = new Set(files.flatMap(({ id }) => id ?? []))
  const removed = known.filter(({ id }) => !keptIds.has(id))
  const isNew = files.filter(({ id }) => id === undefined)
  const hasLease = await inTransaction(deps.db, async (trx) => {
    const update = (changes: ItemHistoryChanges) =>
      updateLeasedHistory(trx, lease, deps.clock.now(), changes)
    const hashes = isNew.map(({ sha256 }) => sha256)
    await requireStored(trx, deps, hashes)
    // Locks the row, so that what is published from here on waits again.
    if (!(await update({ ...step, ...(added && { versionAt: added.at }) }))) return false
    await replaceHistoryFiles(trx, removed, isNew)
    const next = await findNextVersion(trx, connectionId, after)
    return update({ ...UNLEASED, ...(!next && { waitingSince: null }) })
  })
  const written = [...stored, ...removed.map(({ sha256 }) => sha256)]
  const named = new Set(hasLease ? files.map(({ sha256 }) => sha256) : [])
  await deleteUnneededFiles(
    deps,
    written.filter((hash) => !named.has(hash)),
  )
  if (!hasLease) throw new LeaseLostError('Another run has taken over')
}
