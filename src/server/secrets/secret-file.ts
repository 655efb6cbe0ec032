import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import { codeOf } from '../process/error-code'

/**
 * Reads a secret of this installation, or creates it at the first start in a file that only its owner
 * can read. Two processes starting at once use the same one, and a crash never leaves a partial file.
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

/** Returns undefined when the file does not exist. */
export async function readSecretIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Another process has created the secret first, which is used then. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
