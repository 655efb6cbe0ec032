import { closeSync, fsync, openSync, statSync } from 'node:fs'

import { system } from './system'

/** Flushes a file, or the names in a folder, to disk; a new name is durable only after the latter. */
export async function syncPath(path: string): Promise<void> {
  if (!system.flushesFolders && statSync(path).isDirectory()) return
  await syncFile(path, system.flushFlags)
}

/**
 * Flushes a file that exists, in a thread. It is opened, looked at and closed without one, which takes a tenth of the
 * time of going there.
 * @param flags those to open it with
 * @param check is given the open file before
 */
export async function syncFile(
  path: string,
  flags: string | number,
  check?: (descriptor: number) => void,
): Promise<void> {
  const descriptor = openSync(path, flags)
  try {
    check?.(descriptor)
    await new Promise<void>((resolve, reject) => {
      fsync(descriptor, (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    closeSync(descriptor)
  }
}
