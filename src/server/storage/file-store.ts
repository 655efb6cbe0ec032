import type { Readable } from 'node:stream'

import { codeOf } from '../process/error-code'

/**
 * Stores inventory files by the SHA-256 of their content: a stored file never changes, and equal files
 * are stored once. Every implementation passes `file-store.contract.ts`.
 */
export interface FileStore {
  /**
   * Creates a scratch file, which is not visible in the store until it is committed. `owner` is the
   * lease token of its run, by which `removeDrafts` finds the files of dead runs.
   */
  createDraft(owner: string): FileDraft
  /** Reads a stored file; rejects if there is none. */
  read(sha256: string): Promise<Readable>
  /**
   * Reads some bytes of a stored file, as far as it has them, without fetching the rest of it from another machine;
   * rejects if there is none.
   */
  readRange(sha256: string, range: ByteRange): Promise<Buffer>
  /**
   * Reads a stored file or a range of it, only to be piped to a response, which must not keep a chunk
   * that it has written: the chunks share their memory.
   */
  openToSend(sha256: string, range?: ByteRange): Promise<Readable>
  /**
   * An address from which anybody can read a stored file for a number of seconds, where the store has
   * such addresses.
   */
  presign?(sha256: string, seconds: number, headers: ResponseHeaders): Promise<string>
  /** The path of a stored file on this machine; rejects if it does not exist. */
  locate(sha256: string): Promise<string>
  /** Copies a stored file to an independent file at `path`, which is flushed to disk. */
  copyTo(sha256: string, path: string): Promise<void>
  has(sha256: string): Promise<boolean>
  /**
   * Deletes stored files, several at a time; it ends only when nothing is being deleted any more, also when it
   * fails.
   * @param storedBefore leaves those that were last stored at this instant, in Unix milliseconds, or later; with
   *   `Infinity` none is looked at before
   * @returns those that are gone
   */
  delete(sha256s: readonly string[], storedBefore: number): Promise<readonly string[]>
  /**
   * All stored files, by the first two digits of their hashes.
   * @param from those with which it begins; the ones before follow at the end
   */
  list(from?: string): AsyncIterable<ListedFile>
  /**
   * Removes the scratch files of dead runs; returns how many. The live owners are queried after the
   * files have been listed, so that those of new runs are never removed.
   */
  removeDrafts(findLiveOwners: () => Promise<Set<string>>): Promise<number>
  /** @throws when the store is not writable */
  check(): Promise<void>
  /** The space on the disk: available to this process, and in total. */
  measureSpace(): Promise<{ freeBytes: number; totalBytes: number }>
}

export interface FileDraft {
  /** The path for the scratch file on this machine; write it with `openScratchFile`. */
  path: string
  /** Writes all of a body to the scratch file. */
  fill(body: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /**
   * Stores the scratch file under its hash. When this resolves, its content and name are flushed to
   * disk. A file that is already stored under that hash is kept.
   */
  commit(content: StoredFile): Promise<void>
  /** Reads the scratch file to be piped to a response, as `openToSend` of the store does. */
  openToSend(): Promise<Readable>
  /** Removes the scratch file, if there is one; does nothing after a commit. */
  discard(): Promise<void>
}

/** Whether an error means that the disk is full, read-only or broken; reading may still work. */
export function isStoreUnwritable(error: unknown): boolean {
  return UNWRITABLE.has(codeOf(error))
}

const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** How a store of its own announces a file to a browser. */
export type ResponseHeaders = {
  contentType: string
  contentDisposition: string
  cacheControl: string
}

/** The bytes of a file from `start` to `end` inclusive. */
export type ByteRange = { start: number; end: number }

/** `storedAt` is when it was last stored, in Unix milliseconds. */
type ListedFile = { sha256: string; storedAt: number }

export type StoredFile = { sha256: string; sizeBytes: number }
