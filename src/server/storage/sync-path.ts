import { open } from 'node:fs/promises'

/** Flushes a file, or the names in a folder, to disk; a new name is durable only after the latter. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
