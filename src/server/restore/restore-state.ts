import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { syncPath } from '../storage/sync-path'

/** Something that is prepared beside its place, and what was there before. */
const restoreMoveSchema = z.object({
  staged: z.string(),
  target: z.string(),
  /** Where what is at `target` goes first. */
  aside: z.string(),
})
export type RestoreMove = z.infer<typeof restoreMoveSchema>

/** `staging`: nothing has been touched yet. `moving`: what is prepared is whole, and taking its place. */
const restoreStateSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('staging') }),
  z.object({ step: z.literal('moving'), backup: z.string(), moves: restoreMoveSchema.array() }),
])
export type RestoreState = z.infer<typeof restoreStateSchema>

const toPath = (dataDir: string) => join(dataDir, 'restore.json')

/** How far a restore into this folder has come; undefined when none is under way. */
export async function readRestoreState(dataDir: string): Promise<RestoreState | undefined> {
  const text = await readFile(toPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : restoreStateSchema.parse(JSON.parse(text))
}

/** On disk when it returns; the program does not start on this folder as long as there is one. */
export async function writeRestoreState(dataDir: string, state: RestoreState): Promise<void> {
  const path = toPath(dataDir)
  const draft = `${path}.tmp`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(state))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncPath(dataDir)
}

export async function clearRestoreState(dataDir: string): Promise<void> {
  await rm(toPath(dataDir), { force: true })
  await syncPath(dataDir)
}
