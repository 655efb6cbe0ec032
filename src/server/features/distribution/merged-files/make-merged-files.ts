import { randomUUID } from 'node:crypto'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inClaim, inTransaction, type WriteTransaction } from '../../../db/open'
import type {
  MergedFileRow,
  MergedOutputRow,
  MergedVersionRow,
  NewMergedVersionRow,
} from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { logFailure } from '../../../domain/log-failure'
import { runLeased } from '../../../domain/run-leased'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { FileError } from '../../../files/file-error'
import { makeDue } from '../destinations/destinations.queries'
import { listMergedVersionsToSend } from '../destinations/dispatches.queries'
import { deleteUnneededFiles, requireStored } from '../stored-files/storage-cleaning'
import { makeOutput } from './make-output'
import { fingerprintOf, makeVersion, writeOutput } from './make-version'
import {
  findMergedFile,
  hasDueMergedFile,
  leaseDueMergedFile,
  listDueMergedFiles,
  MADE_EVERY_MS,
  updateLeasedMergedFile,
} from './merged-files.queries'
import { listMergedParts } from './merged-parts.queries'
import { listKept, toMergedLimit } from './merged-quota'
import {
  deleteMergedVersions,
  insertMergedOutput,
  insertMergedVersion,
  listMergedOutputs,
  listMergedVersions,
  requestMergedOutput,
  updateMergedOutput,
} from './merged-versions.queries'
import { isStillSeen, listRelations } from './relations'
import { updateParts } from './update-parts'

/** Versions that are kept, for shops that ask what has changed since. */
const MAX_VERSIONS = 10
/** It is looked at so often even if nothing tells that it has changed. */
const LOOKED_AT_EVERY_MS = HOUR_MS
const RETRY_MS = 5 * MINUTE_MS
/** How long a form is made of each version after a reader has asked for it. */
const ASKED_MS = 7 * DAY_MS
const READ_FORMS = new Set<MergedOutputRow['form']>(['csv', 'json', 'xlsx', 'parquet'])
const UNLEASED = { leaseToken: null, leaseUntil: null } as const

/** Queues the job that makes merged files if one is due. */
export async function queueDueMergedFiles(deps: Deps): Promise<void> {
  if (await hasDueMergedFile(deps.db, deps.clock.now())) await queueMergedFiles(deps)
}

export const queueMergedFiles = (deps: Deps): Promise<unknown> =>
  deps.queue.add({ job: 'make-merged-files', key: 'waiting', payload: {} })

/** How many are looked at in the order of one list; what becomes due meanwhile waits for the next one. */
const LISTED_AT_ONCE = 50

/** Looks at the merged files that are due, one after the other, each under a lease, and makes those anew that have changed. */
export async function makeMergedFiles(deps: Deps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const ids = await listDueMergedFiles(deps.db, deps.clock.now(), LISTED_AT_ONCE)
    let looked = 0
    for (const id of ids) {
      if (signal.aborted || (await findShortage(deps))) return
      const file = await claim(deps, id)
      if (!file) continue
      await makeOne(deps, file, signal)
      looked += 1
    }
    // What is left, another process is claiming.
    if (looked === 0) return
  }
}

type Claimed = MergedFileRow & { leaseToken: string }

async function claim(deps: Deps, id: number): Promise<Claimed | undefined> {
  const leaseToken = randomUUID()
  const file = await inClaim(deps.db, (trx) => {
    const now = deps.clock.now()
    return leaseDueMergedFile(trx, { id, now, leaseToken, leaseUntil: now + LEASE_MS })
  })
  return file && { ...file, leaseToken }
}

/** A version that is no longer kept, with its stored files. */
type Dropped = { id: number; files: string[] }

type Made = {
  version: (NewMergedVersionRow & { own: Awaited<ReturnType<typeof writeOutput>> }) | null
  /** The forms in which readers have got the version before. */
  asked: MergedOutputRow[]
  /** Versions that are no longer kept. */
  dropped: Dropped[]
  nextAt: number
}

function makeOne(deps: Deps, file: Claimed, signal: AbortSignal): Promise<void> {
  const update = async (
    trx: WriteTransaction,
    changes: Parameters<typeof updateLeasedMergedFile>[3],
  ): Promise<void> => {
    const now = deps.clock.now()
    if (!(await updateLeasedMergedFile(trx, file, now, { ...changes, ...UNLEASED }))) {
      throw new LeaseLostError('Another run has taken over')
    }
  }
  // What has changed meanwhile has made it due.
  const soonest = async (trx: WriteTransaction, at: number) =>
    Math.min(at, (await findMergedFile(trx, file.userId))?.checkAt ?? Infinity)
  return runLeased<Made, void>(
    {
      renew: () =>
        inTransaction(deps.db, (trx) => {
          const now = deps.clock.now()
          return updateLeasedMergedFile(trx, file, now, { leaseUntil: now + LEASE_MS })
        }),
      work: (stopped) => make(deps, file, stopped),
      async succeed(made) {
        await inTransaction(deps.db, async (trx) => {
          const now = deps.clock.now()
          const checkAt = await soonest(trx, Math.min(made.nextAt, now + LOOKED_AT_EVERY_MS))
          await update(trx, { checkAt, failure: null, ...(made.version && { madeAt: now }) })
          await recordMade(trx, deps, file, made)
          if (made.version) await makeDue(trx, { mergedFileId: file.id }, now)
        })
        if (made.version) await wakeScheduler(deps)
        await deleteUnneededFiles(
          deps,
          made.dropped.flatMap(({ files }) => files),
        )
      },
      fail: (error) =>
        inTransaction(deps.db, async (trx) => {
          const now = deps.clock.now()
          if (signal.aborted) return update(trx, { checkAt: now })
          logFailure(deps.logger, error, 'A merged file could not be made', {
            mergedFileId: file.id,
          })
          const failure =
            error instanceof FileError
              ? error.message
              : 'It could not be made. It will be tried again.'
          return update(trx, { checkAt: await soonest(trx, now + RETRY_MS), failure })
        }),
      lose: async () => undefined,
    },
    signal,
  )
}

/** The stored files of a version, and of what was made of it. */
const filesOf = (version: MergedVersionRow, outputs: readonly MergedOutputRow[]): string[] =>
  [
    version.sha256,
    version.keysSha256,
    version.unmatchedSha256,
    version.goneSha256,
    ...outputs.map(({ mergedVersionId, sha256 }) =>
      mergedVersionId === version.id ? sha256 : null,
    ),
  ].filter((sha256) => sha256 !== null)

async function make(deps: Deps, file: Claimed, signal: AbortSignal): Promise<Made> {
  const run = { leaseToken: file.leaseToken, signal }
  const relations = await listRelations(deps.db, file.userId)
  const rows = await listMergedParts(deps.db, file.id)
  const { parts, nextAt } = await updateParts(deps, { file, rows, relations }, run)
  const versions = await listMergedVersions(deps.db, file.id)
  const seen = versions.filter(({ mergedFrom }) => isStillSeen(mergedFrom, relations))
  const [newest] = versions
  const outputs = await listMergedOutputs(deps.db, file.id)
  const toSend = await listMergedVersionsToSend(deps.db, file.id)
  const dropBeside = (made?: NewMergedVersionRow): Dropped[] => {
    const limitBytes = toMergedLimit(deps.config)
    const most = made ? MAX_VERSIONS - 1 : MAX_VERSIONS
    const kept = listKept(seen, outputs, { made, most, limitBytes, toSend })
    return versions
      .filter((version) => !kept.has(version))
      .map((version) => ({ id: version.id, files: filesOf(version, outputs) }))
  }
  const isCurrent =
    newest !== undefined && newest === seen[0] && newest.fingerprint === fingerprintOf(file, parts)
  if (parts.length === 0) {
    const dropped = versions.map((version) => ({
      id: version.id,
      files: filesOf(version, outputs),
    }))
    return { version: null, asked: [], dropped, nextAt }
  }
  const now = deps.clock.now()
  // Made in the future when the clock was set back.
  const madeAt = file.madeAt !== null && file.madeAt <= now ? file.madeAt : -Infinity
  const soonestAt = madeAt + MADE_EVERY_MS
  const isTooSoon = newest !== undefined && newest === seen[0] && soonestAt > now
  if (isCurrent || isTooSoon) {
    await makeOutputs(deps, file, newest, run)
    const nextLook = isCurrent ? nextAt : Math.min(nextAt, soonestAt)
    return { version: null, asked: [], dropped: dropBeside(), nextAt: nextLook }
  }
  const version = await makeVersion(deps, { file, parts, older: seen[0] }, run)
  const own = await writeOutput(deps, version, { profile: file.profile, form: 'own' }, run)
  const asked = outputs.filter((output) => isAsked(output, newest, now))
  // They are made next.
  const nextLook = asked.length > 0 ? now : nextAt
  return { version: { ...version, own }, asked, dropped: dropBeside(version), nextAt: nextLook }
}

/** Whether readers still ask for an output of a version as a form of the whole file. */
const isAsked = (output: MergedOutputRow, version: MergedVersionRow | undefined, now: number) =>
  output.mergedVersionId === version?.id &&
  output.sinceVersionId === 0 &&
  READ_FORMS.has(output.form) &&
  output.createdAt > now - ASKED_MS

async function recordMade(
  trx: WriteTransaction,
  deps: Deps,
  file: Claimed,
  { version, asked, dropped }: Made,
): Promise<void> {
  await deleteMergedVersions(
    trx,
    dropped.map(({ id }) => id),
  )
  if (!version) return
  const { own, ...row } = version
  const hashes = [row.sha256, row.keysSha256, row.unmatchedSha256, row.goneSha256, own.sha256]
  await requireStored(
    trx,
    deps,
    hashes.filter((hash) => typeof hash === 'string'),
  )
  const mergedVersionId = await insertMergedVersion(trx, row)
  await insertMergedOutput(trx, {
    mergedFileId: file.id,
    mergedVersionId,
    form: 'own',
    sinceVersionId: 0,
    profile: file.profile,
    status: 'ready',
    ...own,
    createdAt: row.createdAt,
  })
  const { id: mergedFileId, profile } = file
  for (const { form, sinceVersionId, createdAt } of asked) {
    const output = { mergedFileId, mergedVersionId, form, sinceVersionId, profile, createdAt }
    await requestMergedOutput(trx, output)
  }
}

/** Writes the forms and changes that shops have asked for. */
async function makeOutputs(
  deps: Deps,
  file: Claimed,
  version: MergedVersionRow,
  run: { leaseToken: string; signal: AbortSignal },
): Promise<void> {
  for (const output of await listMergedOutputs(deps.db, file.id)) {
    if (output.status !== 'waiting' || output.mergedVersionId !== version.id) continue
    try {
      const written = await makeOutput(deps, output, version, run)
      await inTransaction(deps.db, async (trx) => {
        await requireStored(trx, deps, [written.sha256])
        await updateMergedOutput(trx, output.id, { ...written, status: 'ready', failure: null })
      })
    } catch (error) {
      if (!(error instanceof FileError) || run.signal.aborted) throw error
      const failed = { status: 'failed', failure: error.message } as const
      await inTransaction(deps.db, (trx) => updateMergedOutput(trx, output.id, failed))
    }
  }
}
