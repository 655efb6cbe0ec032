import { setTimeout as sleep } from 'node:timers/promises'

import type { Role } from '../../../../shared/constants'
import type { ReceivedFile } from '../../../../shared/schemas/received-file'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toReceivedFile } from './received-files'
import { findReceivedFileRow } from './received-files.queries'

const LOOK_EVERY_MS = 250

/**
 * Waits until a file has been read, or for a while.
 * @param signal ends the waiting early
 */
export async function waitForEnd(
  deps: Deps,
  { viewer, ...place }: { connectionId: number; id: number; viewer: Role | null },
  waitMs: number,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  for (;;) {
    const row = await findReceivedFileRow(deps.db, place)
    if (!row) throw notFound('File')
    if (row.endedAt !== null || isOver.aborted) {
      return toReceivedFile(row, { now: deps.clock.now(), viewer })
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: isOver }).catch(() => undefined)
  }
}
