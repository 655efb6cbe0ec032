import { open } from 'node:fs/promises'

/** Puts a file's content on disk, or a folder's names: a new name is on disk only when its folder is. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
