import { statfs } from 'node:fs/promises'

/** Bytes that may still be written to the disk of a folder, by users without special rights. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
