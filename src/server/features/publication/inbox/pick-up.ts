import { setTimeout as sleep } from 'node:timers/promises'

import { SECOND_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { openShopFile, WHOLE } from '../../distribution/downloads/feed-file'
import { noteUse, type FolderEntry } from './drop-box'
import { requirePlace, type SftpGuest } from './sftp-guests'

/** A file that is not ready is looked for again. */
const LOOK_EVERY_MS = SECOND_MS / 2
const WAIT_MS = 20 * SECOND_MS

/** Programs read a file once, or parts of it again. */
const TIMES_READ = 3
const READ_BEYOND_BYTES = 4 * 1024 * 1024

/** The name that the file has at every feed address. */
const DEFAULT_NAME = 'inventory.csv'

/** The file of a retailer, as it was when it was opened. */
export type PickedUp = {
  sizeBytes: number
  /** A part of it. */
  read(at: number, length: number): Promise<Buffer>
  /** Records that all of it was read. */
  noteRead(): void
}

async function requireRetailer(db: Db, guest: SftpGuest) {
  const place = await requirePlace(db, guest)
  if (place.kind !== 'retailer') throw notFound('File')
  return place.retailer
}

/** The file of a retailer, as at its feed address, under that name and under the one that its shop expects. */
export async function listPickUp(
  deps: Deps,
  guest: SftpGuest,
  signal: AbortSignal,
): Promise<FolderEntry[]> {
  const retailer = await requireRetailer(deps.db, guest)
  const file = await waitForFile(deps, retailer, signal).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined
    throw error
  })
  if (!file) return []
  const { sizeBytes, modifiedAt: changedAt, form } = file
  const names = new Set([DEFAULT_NAME, `${form.name ?? 'inventory'}.${form.extension}`])
  return [...names].map((name) => ({ name, sizeBytes, changedAt, text: null }))
}

/**
 * Opens the file of a retailer: the same bytes as at its feed address.
 * @throws DomainError UNAUTHENTICATED for a login that does not work any more; NOT_FOUND; UNAVAILABLE; THROTTLED
 */
export async function openPickUp(
  deps: Deps,
  guest: SftpGuest,
  client: string,
  signal: AbortSignal,
): Promise<PickedUp> {
  const retailer = await requireRetailer(deps.db, guest)
  await countAttempts(deps, [{ limit: 'fetchBySftp', subject: guest.loginId }])
  const { sizeBytes, sha256, onRead } = await waitForFile(deps, retailer, signal)
  let isNoted = false
  let readableBytes = TIMES_READ * sizeBytes + READ_BEYOND_BYTES
  return {
    sizeBytes,
    async read(at, length) {
      const end = Math.min(at + length, sizeBytes)
      if (at >= end) return Buffer.alloc(0)
      readableBytes -= end - at
      if (readableBytes < 0) throw readTooOften()
      const stream = await deps.files.openToSend(sha256, { start: at, end: end - 1 })
      const pieces: Buffer[] = []
      // They share their memory.
      for await (const piece of stream) pieces.push(Buffer.from(piece as Buffer))
      return Buffer.concat(pieces)
    },
    noteRead() {
      if (isNoted) return
      isNoted = true
      void onRead?.({ userAgent: client, isSent: true })
      void noteUse(deps, guest, client)
    },
  }
}

async function waitForFile(
  deps: Deps,
  retailer: Awaited<ReturnType<typeof requireRetailer>>,
  signal: AbortSignal,
) {
  const until = performance.now() + WAIT_MS
  for (;;) {
    try {
      return (await openShopFile(deps, retailer, { ...WHOLE, addressId: null })).value
    } catch (error) {
      const isBeingBuilt = error instanceof DomainError && error.code === 'UNAVAILABLE'
      if (!isBeingBuilt || performance.now() > until) throw error
      await sleep(LOOK_EVERY_MS, undefined, { signal })
    }
  }
}

const readTooOften = () =>
  new DomainError('THROTTLED', 'The file was read several times already. Open it anew.')
