const IS_WINDOWS = process.platform === 'win32'

/** What operating systems lack or do in another way. Nothing else asks which one it is. */
export const system = {
  /** Whether the names in a folder can be flushed. NTFS keeps a journal of them instead. */
  flushesFolders: !IS_WINDOWS,
  /** The flags with which a file is opened to be flushed: Windows flushes only what may be written. */
  flushFlags: IS_WINDOWS ? 'r+' : 'r',
  /** Whether a folder can be renamed while a file in it is open. */
  renamesOpenFolders: !IS_WINDOWS,
  /** Whether modes decide who may read a file. On Windows it inherits the access rights of its folder. */
  hasModes: !IS_WINDOWS,
  hasShell: !IS_WINDOWS,
  /** Whether several processes can listen on one port, and the system shares connections among them. */
  sharesPorts: process.platform === 'linux',
  /** Whether a process is measured by reading a file; elsewhere, a program is started for it. */
  hasProcFiles: process.platform === 'linux',
} as const
