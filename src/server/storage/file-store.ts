import type { Readable } from 'node:stream'

/**
 * Inventory files by the SHA-256 of their content: a stored file never changes, and two equal files
 * are one. Every driver passes `file-store.contract.ts`.
 */
export interface FileStore {
  /**
   * A scratch file, seen by nobody until it is committed. `owner` is the lease token of the run it
   * belongs to: what a dead run leaves behind is found by it.
   */
  createDraft(owner: string): FileDraft
  /** A stored file's bytes, from `start` to `end` (inclusive) where given; rejects when it is gone. */
  read(sha256: string, range?: { start: number; end: number }): Promise<Readable>
  /** Where a stored file lies on this machine; rejects when it is gone. */
  locate(sha256: string): Promise<string>
  /**
   * Puts a copy of a stored file at a path of this machine, where it shares nothing with the store.
   * It is on disk when this returns.
   */
  copyTo(sha256: string, path: string): Promise<void>
  has(sha256: string): Promise<boolean>
  /**
   * Deletes a stored file for which `isUnneeded` still holds once nobody can find it any more; else
   * puts it back. So a run that stores the same content meanwhile never loses it.
   * @returns whether it was deleted
   */
  deleteIf(sha256: string, isUnneeded: (storedAt: number) => Promise<boolean>): Promise<boolean>
  /** Every stored file, with the instant it was written. */
  list(): AsyncIterable<{ sha256: string; storedAt: number }>
  /**
   * Removes the scratch files of runs that are no longer alive; returns how many. Who is alive is
   * asked after the files were listed: a run that began since has none of them.
   */
  removeDrafts(findLiveOwners: () => Promise<Set<string>>): Promise<number>
  /** Throws unless the store can be written. */
  check(): Promise<void>
  /** How much room the disk has left for this process, and how large it is, in bytes. */
  measureSpace(): Promise<{ freeBytes: number; totalBytes: number }>
}

interface FileDraft {
  /** Where the scratch file belongs on this machine; `openScratchFile` writes it. */
  path: string
  /**
   * Puts what was written there under its hash. It is on disk, and its name too, when this settles.
   * A file that is stored under that hash already stays as it is.
   */
  commit(content: StoredFile): Promise<void>
  /** Removes the scratch file, if there is one; does nothing to what has been committed. */
  discard(): Promise<void>
}

/** Whether the disk is full, read-only or broken: reading may go on. */
export function isStoreUnwritable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNWRITABLE.has(error.code)
}

const UNWRITABLE = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

export type StoredFile = { sha256: string; sizeBytes: number }
