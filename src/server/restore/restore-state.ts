import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { DomainError } from '../domain/errors'
import { syncPath } from '../process/sync-path'

/** A staged file or folder, its target, and the place for what the target held before. */
const restoreMoveSchema = z.object({
  staged: z.string(),
  target: z.string(),
  /** Where the current content of `target` is moved first. */
  aside: z.string(),
})
export type RestoreMove = z.infer<typeof restoreMoveSchema>

/** Whether the product finishes it by itself at its next start, as it does with what was begun in the browser. */
const isResumed = z.boolean().optional()

/** `staging`: no data has been touched yet. `moving`: everything is staged and is being moved. */
const restoreStateSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('staging'), isResumed }),
  z.object({
    step: z.literal('moving'),
    isResumed,
    backup: z.string(),
    moves: restoreMoveSchema.array(),
  }),
])
export type RestoreState = z.infer<typeof restoreStateSchema>

const toPath = (dataDir: string) => join(dataDir, 'restore.json')

/** The state of an unfinished restore into this folder; undefined when there is none. */
export async function readRestoreState(dataDir: string): Promise<RestoreState | undefined> {
  const text = await readFile(toPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : restoreStateSchema.parse(JSON.parse(text))
}

/** Writes the state durably. While it exists, the product does not start on this folder. */
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

/**
 * Keeps a process from opening data that is being replaced.
 * @throws DomainError UNAVAILABLE that explains how to finish an interrupted restore
 */
export async function requireNoRestore(dataDir: string): Promise<void> {
  const state = await readRestoreState(dataDir)
  if (!state) return
  if (state.isResumed) {
    throw new DomainError(
      'UNAVAILABLE',
      `A restore into ${dataDir} is not finished. The product completes it when it starts there.`,
    )
  }
  const [what, command] = [`A restore into ${dataDir} is not finished.`, 'npm run restore -- FILE']
  const choice =
    state.step === 'moving'
      ? `Run ${command} again to complete it.`
      : `Run ${command} again, or delete ${join(dataDir, 'restore.json')} to keep what was there.`
  throw new DomainError('UNAVAILABLE', `${what} ${choice}`)
}
