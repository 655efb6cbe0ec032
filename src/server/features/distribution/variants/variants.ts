import type { VariantSpec } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { formOf } from '../../../domain/variant-spec'
import { MAX_FILTERED_TOGETHER } from '../../../files/file-readers'
import { enforceStorageLimits } from '../stored-files/storage-quota'
import {
  findNextWaitingVariant,
  listWaitingVariants,
  type LeasedVariant,
} from './waiting-variants.queries'
import { writeVariants } from './write-variants'

/** The files that are written together take about so many bytes at most. */
const BYTES_TOGETHER = 512 * 1024 * 1024
/** The names of their categories and columns have so many characters at most: they are sent to a reader. */
const CHARACTERS_TOGETHER = 1024 * 1024

/**
 * Builds waiting variants, those of one version of each supplier in turn. Skips those for which there is no
 * room, and stops while the disk is short of space.
 */
export async function buildWaitingVariants(deps: Deps, signal: AbortSignal): Promise<void> {
  const built = new Set<number>()
  await buildThem(deps, built, signal)
  // Those that wait for these files belong above this folder.
  if (built.size > 0) {
    const payload = { connectionIds: [...built] }
    await deps.queue.add({ job: 'check-waiting-destinations', payload })
  }
}

/** @param built gets the connections of those that were built */
async function buildThem(deps: Deps, built: Set<number>, signal: AbortSignal): Promise<void> {
  const withoutRoom: number[] = []
  const alone = new Set<number>()
  let lastSupplierId = 0
  while (!signal.aborted) {
    const turn = { lastSupplierId, except: withoutRoom }
    const waiting = await findNextWaitingVariant(deps.db, deps.clock.now(), turn)
    if (!waiting || (await findShortage(deps))) return
    lastSupplierId = waiting.supplierId
    const { isFull, freeBytes } = await enforceStorageLimits(deps, waiting.connectionId, waiting)
    if (isFull) {
      withoutRoom.push(waiting.id)
      continue
    }
    const others = alone.has(waiting.id)
      ? []
      : await listOthers(deps, waiting, { freeBytes, except: [...withoutRoom, ...alone] })
    const ids = [waiting.id, ...others]
    if (!(await writeVariants(deps, ids, signal))) for (const id of ids) alone.add(id)
    built.add(waiting.connectionId)
    await enforceStorageLimits(deps, waiting.connectionId)
  }
}

type Waiting = LeasedVariant & { sizeBytes: number }

/** Lists what can be built together with a waiting variant, as far as there is room. */
async function listOthers(
  { db, clock }: Deps,
  { id, versionId, view, sizeBytes }: Waiting,
  { freeBytes, except }: { freeBytes: number; except: readonly number[] },
): Promise<number[]> {
  const room = Math.floor(Math.min(freeBytes, BYTES_TOGETHER) / Math.max(sizeBytes, 1))
  const limit = Math.min(MAX_FILTERED_TOGETHER, room) - 1
  if (limit < 1 || !isForAny(view)) return []
  const others = await listWaitingVariants(db, clock.now(), {
    versionId,
    except: [id, ...except],
    limit,
  })
  let characters = measure(view)
  return others
    .filter((other) => isForAny(other.view))
    .filter((other) => (characters += measure(other.view)) <= CHARACTERS_TOGETHER)
    .map((other) => other.id)
}

/** Whether a view is written row by row: others need a comparison, or much memory. */
const isForAny = (view: VariantSpec) =>
  view.since === undefined && ['csv', 'json'].includes(formOf(view))

const measure = ({ categories, hidden }: VariantSpec) =>
  [...(categories ?? []), ...hidden].reduce((sum, name) => sum + name.length, 0)
