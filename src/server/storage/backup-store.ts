import type { Readable } from 'node:stream'

import type { BackupManifest } from './backup-manifest'
import type { StoredFile } from './file-store'

/**
 * Backups, each seen by nobody until it is published whole. What two backups have in common is stored
 * once. Every driver passes `backup-store.contract.ts`.
 */
export interface BackupStore {
  /** What can still be written. */
  freeBytes(): Promise<number>
  /**
   * Begins a backup. `owner` is the lease token of the run it belongs to: what a dead run leaves
   * behind is found by it.
   */
  createDraft(owner: string): Promise<BackupDraft>
  /** The published backups, newest first. */
  list(): Promise<StoredBackup[]>
  find(name: string): Promise<StoredBackup | undefined>
  delete(name: string): Promise<void>
  /**
   * Removes the drafts of runs that are no longer alive, which can then never publish them; returns
   * how many. Who is alive is asked after the drafts were listed.
   */
  removeDrafts(findLiveOwners: () => Promise<Set<string>>): Promise<number>
}

/** The parts of a backup, published or not, as far as they have to be checked. */
export interface BackupParts {
  /** Where the database lies on this machine: SQLite opens files, not streams. */
  databasePath: string
  /** Reads the database back from the disk; undefined when it is not there. */
  measureDatabase(signal: AbortSignal): Promise<StoredFile | undefined>
  /** The same for an inventory file. */
  measureFile(sha256: string, signal: AbortSignal): Promise<StoredFile | undefined>
}

/** Puts a copy of an inventory file at a path. */
type CopyFile = (path: string) => Promise<void>

/** `databasePath` is an empty file, for the snapshot to be written to. */
export interface BackupDraft extends BackupParts {
  /** Puts an inventory file in: the one of an earlier backup where there is one, else a copy. */
  addFile(sha256: string, copy: CopyFile): Promise<void>
  /** Puts a copy in place of a file that turned out damaged. */
  replaceFile(sha256: string, copy: CopyFile): Promise<void>
  /** Puts the manifest in, and returns what can be read back of it. */
  writeManifest(manifest: BackupManifest): Promise<BackupManifest>
  /** Makes it the backup of its manifest. It is on disk, and its name too, when this returns. */
  publish(): Promise<StoredBackup>
  /** Forgets the draft; does nothing to one that has been published. */
  discard(): Promise<void>
}

export type StoredBackup = {
  name: string
  manifest: BackupManifest
  /** Bytes of the archive. */
  archiveBytes: number
  /** The backup as one tar archive, packed while it is read. */
  openArchive(): Readable
}
