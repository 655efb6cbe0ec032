import { join } from 'node:path'

import { DomainError } from '../domain/errors'
import { readRestoreState } from './restore-state'

/**
 * Keeps a process from opening data that is being replaced.
 * @throws DomainError UNAVAILABLE that explains how to finish an interrupted restore
 */
export async function requireNoRestore(dataDir: string): Promise<void> {
  const state = await readRestoreState(dataDir)
  if (!state) return
  const [what, command] = [`A restore into ${dataDir} is not finished.`, 'npm run restore -- FILE']
  const choice =
    state.step === 'moving'
      ? `Run ${command} again to complete it.`
      : `Run ${command} again, or delete ${join(dataDir, 'restore.json')} to keep what was there.`
  throw new DomainError('UNAVAILABLE', `${what} ${choice}`)
}
