import { open, stat } from 'node:fs/promises'

import { system } from './system'

/** Flushes a file, or the names in a folder, to disk; a new name is durable only after the latter. */
export async function syncPath(path: string): Promise<void> {
  if (!system.flushesFolders && (await stat(path)).isDirectory()) return
  const handle = await open(path, system.flushFlags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
