import { stat, utimes } from 'node:fs/promises'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations'
import { codeOf } from '../../process/error-code'
import type { FileStore } from '../file-store'
import { reservedBytesOf } from '../reserved-space'
import { openScratchFile } from '../scratch-file'

/** Enough for those who build and publish; others are sent on without waiting for the cache. */
const MAX_AHEAD = 4
/** What was used within this time stays: a process may be about to open it. */
const IN_USE_MS = 10 * MINUTE_MS
/** What nobody has asked for in this time goes, however much room there is. */
const UNUSED_MS = 7 * DAY_MS
const TOUCH_EVERY_MS = MINUTE_MS
/** The cache is looked through after it has grown by a twentieth, and each hour. */
const SCAN_SHARE = 1 / 20
const SCAN_EVERY_MS = HOUR_MS
/** After looking through it, there is room for a tenth. */
const KEPT_SHARE = 0.9

/** Who owns drafts of files that are being fetched. */
export const CACHE_OWNER = 'cache'

/**
 * Files of a bucket on this machine, by the hash of their content, so that they never go stale. The
 * processes of a machine share it.
 */
export interface FileCache {
  /**
   * Returns the path of a file, after fetching it if it is not there; it stays for ten minutes at least.
   * Those who ask for a file at the same time wait for one transfer.
   */
  fetch(sha256: string): Promise<string>
  /** Returns the path of a file if it is there. */
  find(sha256: string): Promise<string | undefined>
  /** Returns the path of a file if it is there; otherwise it may begin to fetch it. */
  findOrFetchAhead(sha256: string): Promise<string | undefined>
  /** To be called after a file has been added by others than the cache. */
  noteAdded(sizeBytes: number): Promise<void>
  /** Deletes what was used least recently, until the cache is small enough and the disk has room. */
  evict(): Promise<void>
}

type FileCacheOptions = {
  maxBytes: number
  /** See `reservedBytesOf`. */
  minFreeBytes: number | undefined
  /** Returns the content of a file; rejects if there is none. */
  read(sha256: string): Promise<AsyncIterable<Uint8Array>>
  /** Unix milliseconds. */
  now(): number
}

/** @param disk the store that has the files of the cache */
export function createFileCache(
  disk: FileStore,
  { maxBytes, minFreeBytes, read, now }: FileCacheOptions,
): FileCache {
  const transfers = new Map<string, Promise<string>>()
  const touched = new Map<string, number>()
  let addedBytes = 0
  let scannedAt = -Infinity

  async function touch(sha256: string, path: string): Promise<void> {
    if (now() - (touched.get(sha256) ?? -Infinity) < TOUCH_EVERY_MS) return
    touched.set(sha256, now())
    await utimes(path, now() / 1_000, now() / 1_000)
  }

  /** Returns undefined if it is not there, or has just been deleted. */
  async function find(sha256: string): Promise<string | undefined> {
    try {
      const path = await disk.locate(sha256)
      await touch(sha256, path)
      return path
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      touched.delete(sha256)
      return undefined
    }
  }

  async function transfer(sha256: string): Promise<string> {
    const draft = disk.createDraft(CACHE_OWNER)
    const output = await openScratchFile(draft.path)
    try {
      for await (const chunk of await read(sha256)) await output.write(chunk)
      const content = await output.finish()
      if (content.sha256 !== sha256) throw new Error(`The stored file ${sha256} is damaged`)
      await draft.commit(content)
      await noteAdded(content.sizeBytes)
    } catch (error) {
      await output.discard()
      throw error
    }
    return disk.locate(sha256)
  }

  function startTransfer(sha256: string): Promise<string> {
    const known = transfers.get(sha256)
    if (known) return known
    const started = transfer(sha256).finally(() => transfers.delete(sha256))
    transfers.set(sha256, started)
    return started
  }

  async function noteAdded(sizeBytes: number): Promise<void> {
    addedBytes += sizeBytes
    const isDue = addedBytes > maxBytes * SCAN_SHARE || now() - scannedAt > SCAN_EVERY_MS
    if (isDue || (await measureShortage()) > 0) await evict()
  }

  /** How much of the disk's reserved space is not free. */
  async function measureShortage(): Promise<number> {
    const { freeBytes, totalBytes } = await disk.measureSpace()
    return Math.max(0, reservedBytesOf(totalBytes, minFreeBytes) - freeBytes)
  }

  async function evict(): Promise<void> {
    addedBytes = 0
    scannedAt = now()
    for (const [sha256, at] of touched) if (now() - at > TOUCH_EVERY_MS) touched.delete(sha256)
    const files = (await listFiles(disk)).toSorted((one, other) => one.usedAt - other.usedAt)
    let total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const room = Math.min(maxBytes, total - (await measureShortage()))
    const isFull = total > room
    const unneeded: string[] = []
    for (const { sha256, sizeBytes, usedAt } of files) {
      const unusedMs = now() - usedAt
      const isTooMuch = isFull && total > room * KEPT_SHARE
      if (unusedMs < IN_USE_MS || !(isTooMuch || unusedMs > UNUSED_MS)) break
      unneeded.push(sha256)
      total -= sizeBytes
    }
    await disk.delete(unneeded, Infinity)
  }

  return {
    find,
    fetch: async (sha256) => (await find(sha256)) ?? startTransfer(sha256),
    async findOrFetchAhead(sha256) {
      const path = await find(sha256)
      if (path !== undefined) return path
      // Who waits for the file reads it elsewhere, and learns there what is wrong.
      if (transfers.size < MAX_AHEAD) startTransfer(sha256).catch(() => undefined)
      return undefined
    },
    noteAdded,
    evict,
  }
}

async function listFiles(disk: FileStore) {
  const files: { sha256: string; sizeBytes: number; usedAt: number }[] = []
  for await (const { sha256, storedAt } of disk.list()) {
    const path = await disk.locate(sha256).catch(() => undefined)
    const found = path && (await stat(path).catch(() => undefined))
    if (found) files.push({ sha256, sizeBytes: found.size, usedAt: storedAt })
  }
  return files
}
