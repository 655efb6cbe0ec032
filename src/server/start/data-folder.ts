import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ConfigError, type Config } from '../config'
import { codeOf } from '../process/error-code'
import { tightenData } from './private-data'

/** New files are accessible to the user of the process only, whatever the umask was. */
const PRIVATE_UMASK = 0o077

/**
 * Creates missing data folders, and makes existing and future data inaccessible to other users.
 * @param warn receives a line when something could not be made private
 * @throws ConfigError naming the variable, when a folder cannot be written
 */
export async function prepareDataFolders(
  config: Config,
  warn: (line: string) => void,
): Promise<void> {
  // SQLite and other libraries create files without setting a mode.
  process.umask(PRIVATE_UMASK)
  await prepareFolder('DATA_DIR', config.dataDir)
  await prepareFolder('DATABASE_URL', dirname(config.databaseFile))
  const [first, ...others] = tightenData(config)
  if (first === undefined) return
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  warn(`Other users of this machine may read ${first}${more}: the mode cannot be changed`)
}

/** @throws ConfigError naming the variable, when the folder cannot be written */
async function prepareFolder(variable: 'DATA_DIR' | 'DATABASE_URL', path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigError(
      `${variable}: ${path} cannot be written (${codeOf(error)}). Choose another folder, or give this one to the user that runs the program.`,
    )
  }
}
