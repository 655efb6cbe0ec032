import type { Readable } from 'node:stream'

import type { BackupKind } from '../../shared/constants'
import type { BackupManifest, FileList } from './backup-manifest'
import type { ReadTimes } from './backup-read-times'
import type { StoredFile } from './file-store'

/**
 * Stores backups. A backup becomes visible only when it is complete and published. Files that several
 * backups share are stored once. Every implementation passes `backup-store.contract.ts`.
 */
export interface BackupStore {
  /** The free space for backups. */
  freeBytes(): Promise<number>
  /**
   * Starts a backup. `owner` is the lease token of its run, by which `removeDrafts` finds the drafts of
   * dead runs.
   */
  createDraft(owner: string): Promise<BackupDraft>
  /** The published backups, newest first. */
  list(): Promise<StoredBackup[]>
  find(name: string): Promise<StoredBackup | undefined>
  /**
   * When the newest published backup of a kind was begun, in Unix milliseconds; null when there is none. No
   * manifest is read, so that it takes little time however many files there are.
   */
  findNewestTime(kind: BackupKind): Promise<number | null>
  delete(name: string): Promise<void>
  /**
   * Removes the drafts of dead runs, which can then no longer publish them; returns how many. The live
   * owners are queried after the drafts have been listed, so that new drafts are never removed.
   */
  removeDrafts(findLiveOwners: () => Promise<Set<string>>): Promise<number>
}

/** The database of a backup, published or not, for verification. */
export interface BackupDatabase {
  /** The path of the database on this machine: SQLite opens files, not streams. */
  databasePath: string
  /** Hashes the database as it is on disk; undefined when it does not exist. */
  measureDatabase(signal: AbortSignal): Promise<StoredFile | undefined>
}

/** Inventory files of a backup, published or not, for verification. */
export interface BackupFiles {
  /** Hashes an inventory file as it is on disk; undefined when it does not exist. */
  measureFile(sha256: string, signal: AbortSignal): Promise<StoredFile | undefined>
}

/** Copies an inventory file to a path. */
export type CopyFile = (path: string) => Promise<void>

/** Inventory files of a backup that is being made. */
export interface DraftFiles extends BackupFiles {
  /**
   * Adds an inventory file: shared with an earlier backup that has it in this size, otherwise a copy.
   * @returns whether it is shared with the newest backup
   */
  addFile(file: StoredFile, copy: CopyFile): Promise<boolean>
  /** Replaces a damaged file with a copy. */
  replaceFile(sha256: string, copy: CopyFile): Promise<void>
}

/** Those of a list. */
interface DraftList extends DraftFiles {
  /** Writes the list, once all its files have been added. */
  write(files: readonly StoredFile[]): Promise<FileList>
}

/**
 * `databasePath` is an empty file that the snapshot is to be written to. Files are added either here or, if there are
 * more than MAX_FILES_IN_MANIFEST, to lists.
 */
export interface BackupDraft extends BackupDatabase, DraftFiles {
  /** The times of the newest backup when this one was begun; undefined if it has none. */
  newestReadTimes: ReadTimes | undefined
  /** Whether the newest backup has lists, which only lists share files with everywhere. */
  newestHasLists: boolean
  /** Opens the list of the files whose hashes begin with `prefix`, one of LIST_PREFIXES. */
  openList(prefix: string): Promise<DraftList>
  /** Writes the manifest, and returns it as read back. */
  writeManifest(manifest: BackupManifest): Promise<BackupManifest>
  /**
   * Publishes the draft as a backup. When this returns, its content and name are flushed to disk.
   * @param kept kept beside the manifest, whose format older versions restore too
   */
  publish(kept: { kind: BackupKind; readTimes: ReadTimes }): Promise<StoredBackup>
  /** Deletes the draft; does nothing after it has been published. */
  discard(): Promise<void>
}

export type StoredBackup = {
  name: string
  kind: BackupKind
  manifest: BackupManifest
  /** Undefined for backups of earlier versions, which were read back completely when they were made. */
  readTimes: ReadTimes | undefined
  /** The size of the archive. */
  archiveBytes: number
  /** All its inventory files, those of its lists too. */
  listFiles(): AsyncIterable<StoredFile>
  /**
   * Streams the backup as one tar archive, to its end even if the backup is deleted meanwhile by any process:
   * its files are then removed afterwards.
   * @returns undefined when the backup has been deleted
   */
  openArchive(): Promise<Readable | undefined>
}
