import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A secret of this installation, made at its first start and kept in a file of its own, readable by
 * its owner only. Two first starts at once agree on one, and a crash never leaves half of it.
 */
export async function readOrCreateSecret(path: string, make: () => string): Promise<string> {
  const known = await readSecretIfThere(path)
  if (known) return known
  const draft = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(make())
    await handle.sync()
    await link(draft, path).catch(ignoreExisting)
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

/** undefined where there is no such file. */
export async function readSecretIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Another first start was quicker: its secret holds. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
