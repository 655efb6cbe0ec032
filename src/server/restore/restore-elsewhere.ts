import type { Config } from '../config'
import { engineOf } from '../db/engine'
import type { Db } from '../db/open'
import { DomainError } from '../domain/errors'
import { findRestoreRow } from '../features/operations/restores/restores.queries'
import { withDatabase } from './restore-database'
import { readRestoreState } from './restore-state'

/** Whether a restore that was begun in the browser replaces the data, in any process of this or another machine. */
export async function isRestoring(config: Config): Promise<boolean> {
  const state = await readRestoreState(config.dataDir)
  if (state) return state.isResumed === true
  // All processes of an SQLite database have its data folder.
  if (config.postgresUrl === undefined) return false
  return withDatabase(config, hasStopped)
}

/**
 * Keeps a process from beginning on rows that a process of another machine replaces.
 * @throws DomainError UNAVAILABLE
 */
export async function requireNoRestoreElsewhere(db: Db): Promise<void> {
  if (engineOf(db).name === 'SQLite' || !(await hasStopped(db))) return
  throw new DomainError(
    'UNAVAILABLE',
    'Another machine replaces the data by a backup, and its npm start completes that. Without it, run npm run restore here.',
  )
}

async function hasStopped(db: Db): Promise<boolean> {
  const tables = await engineOf(db).tables.list(db)
  // Not of a database that is new, or of an older version.
  if (!tables.some(({ name }) => name === 'restores')) return false
  return (await findRestoreRow(db))?.step === 'stopping'
}
