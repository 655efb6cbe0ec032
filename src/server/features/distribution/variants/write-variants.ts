import { randomUUID } from 'node:crypto'

import { inClaim, inLossyTransaction } from '../../../db/open'
import type { VariantChanges } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { LeaseLostError, LEASE_MS } from '../../../domain/lease'
import { logFailure } from '../../../domain/log-failure'
import { runLeased } from '../../../domain/run-leased'
import { toSelection } from '../../../domain/variant-spec'
import { FileError, type FileErrorCode } from '../../../files/file-error'
import type { FilteredFile } from '../../../files/file-readers'
import type { FileDraft } from '../../../storage/file-store'
import { locateGoneItems } from '../../catalogue/gone-items/gone-items'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { deleteUnneededFiles, requireStored } from '../stored-files/storage-cleaning'
import { updateLeasedVariants } from './variants.queries'
import { leaseVariants, type LeasedVariant } from './waiting-variants.queries'
import { writeDelta } from './write-delta'

/** What a retailer's settings can mend; it is told of it. */
const REFUSALS = new Set<FileErrorCode>(['missing-column', 'too-large'])

const UNLEASED = { leaseToken: null, leaseUntil: null } as const

type Lease = { token: string; ids: number[] }

/** What came of a variant: its file, or why there is none. */
type Outcome = { id: number; written: WrittenVariant | Error }
type WrittenVariant = VariantChanges & { sha256: string; sizeBytes: number }

/**
 * Builds waiting variants of one version, which is read once for all of them.
 * @returns whether each has been built or has failed; otherwise they wait again, to be built one by one: one of
 *   them may have made the others fail
 */
export async function writeVariants(
  deps: Deps,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<boolean> {
  const token = randomUUID()
  const leaseUntil = () => deps.clock.now() + LEASE_MS
  const variants = await inClaim(deps.db, (trx) =>
    leaseVariants(trx, ids, deps.clock.now(), { leaseToken: token, leaseUntil: leaseUntil() }),
  )
  if (variants.length === 0) return true
  const lease = { token, ids: variants.map(({ id }) => id) }
  return runLeased<Outcome[], boolean>(
    {
      renew: () => change(deps, lease, { leaseUntil: leaseUntil() }),
      work: (workSignal) => write(deps, variants, { leaseToken: token, signal: workSignal }),
      async succeed(outcomes) {
        await record(deps, lease, outcomes)
        return true
      },
      async fail(error) {
        const isAlone = variants.length === 1 && !signal.aborted
        const outcomes = isAlone ? lease.ids.map((id) => ({ id, written: toError(error) })) : []
        await record(deps, lease, outcomes)
        return isAlone
      },
      lose: async () => true,
    },
    signal,
  )
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/** Updates leased variants. Returns false when none is leased any more. */
function change(deps: Deps, { token, ids }: Lease, changes: VariantChanges): Promise<boolean> {
  return inLossyTransaction(
    deps.db,
    async (trx) =>
      (await updateLeasedVariants(trx, { token, ids }, deps.clock.now(), changes)).length > 0,
  )
}

/** Records what came of variants, and releases them and those of which nothing came. */
async function record(deps: Deps, lease: Lease, outcomes: readonly Outcome[]): Promise<void> {
  for (const { id, written } of outcomes) {
    if (!(written instanceof Error)) continue
    logFailure(deps.logger, written, 'A filtered file could not be built', { variantId: id })
  }
  const files = outcomes.flatMap(({ id, written }) =>
    written instanceof Error ? [] : [{ id, sha256: written.sha256 }],
  )
  const leased = await inLossyTransaction(deps.db, async (trx) => {
    const { token } = lease
    const now = deps.clock.now()
    const found = new Set<number>()
    const update = async (ids: number[], changes: VariantChanges) => {
      const changed = await updateLeasedVariants(trx, { token, ids }, now, changes)
      for (const id of changed) found.add(id)
    }
    await requireStored(
      trx,
      deps,
      files.map(({ sha256 }) => sha256),
    )
    for (const { id, written } of outcomes) await update([id], toChanges(written, now))
    const done = new Set(outcomes.map(({ id }) => id))
    const rest = lease.ids.filter((id) => !done.has(id))
    if (rest.length > 0) await update(rest, UNLEASED)
    return found
  })
  // Requests that were dropped during the build need no file.
  const unneeded = files.filter(({ id }) => !leased.has(id)).map(({ sha256 }) => sha256)
  await deleteUnneededFiles(deps, unneeded)
  if (leased.size === 0) throw new LeaseLostError('The filtered files are no longer requested')
}

/** Another fault than a refusal replaces an earlier refusal, which would be shown for it. */
function toChanges(written: WrittenVariant | Error, now: number): VariantChanges {
  const noRefusal = { refusal: null, refusedAt: null }
  if (!(written instanceof Error)) {
    return { ...written, ...UNLEASED, status: 'ready', usedAt: now, ...noRefusal }
  }
  const isRefused = written instanceof FileError && REFUSALS.has(written.code)
  const refusal = isRefused ? { refusal: written.message, refusedAt: now } : noRefusal
  return { ...UNLEASED, status: 'failed', ...refusal }
}

async function write(
  deps: Deps,
  variants: readonly LeasedVariant[],
  options: { leaseToken: string; signal: AbortSignal },
): Promise<Outcome[]> {
  const [first] = variants
  const version = first && (await findVersion(deps.db, first.versionId))
  if (!version) throw new LeaseLostError('The version is gone')
  const { id, view } = first
  const { since } = view
  return since
    ? [{ id, written: await writeDelta(deps, { version, view, since }, options) }]
    : filter(deps, version, variants, options)
}

async function filter(
  deps: Deps,
  version: VersionRecord,
  variants: readonly LeasedVariant[],
  { leaseToken, signal }: { leaseToken: string; signal: AbortSignal },
): Promise<Outcome[]> {
  const building = variants.map((one) => ({ ...one, draft: deps.files.createDraft(leaseToken) }))
  try {
    const file = await deps.files.locate(version.sha256)
    const selections = await Promise.all(
      building.map(async ({ view, draft }) => {
        const { categoryReading: _, ...selection } = toSelection(view, version)
        return {
          draft: draft.path,
          ...selection,
          gone: await locateGoneItems(deps, view, version),
        }
      }),
    )
    const { categoryReading } = version
    const task = { file, categoryReading, views: selections }
    const { files } = await deps.readers.run('filter', task, { signal })
    return await Promise.all(
      building.map(async ({ id, draft }, place) => ({
        id,
        written: await store(files[place], draft),
      })),
    )
  } finally {
    await Promise.all(building.map(({ draft }) => draft.discard()))
  }
}

async function store(
  filtered: FilteredFile | undefined,
  draft: FileDraft,
): Promise<WrittenVariant | Error> {
  if (!filtered) throw new Error('A filtered file is missing')
  if (filtered.kind === 'refused') return new FileError(filtered.code, filtered.message)
  const { kind: _, content, ...rows } = filtered
  await draft.commit(content)
  return { ...content, ...rows }
}
