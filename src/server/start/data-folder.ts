import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ConfigError, type Config } from '../config'
import { tightenData } from './private-data'

/** What is made from now on is for the user that runs the program, whatever the umask was. */
const PRIVATE_UMASK = 0o077

/**
 * Makes the folders of the data where they are missing, and lets nobody else look into the data:
 * neither into what is there already, nor into what is still to come.
 * @param warn is told what could not be made private
 * @throws ConfigError naming the variable, when the product cannot write there
 */
export async function prepareDataFolders(
  config: Config,
  warn: (line: string) => void,
): Promise<void> {
  // SQLite and other libraries make files without a word about their mode.
  process.umask(PRIVATE_UMASK)
  await prepareFolder('DATA_DIR', config.dataDir)
  await prepareFolder('DATABASE_URL', dirname(config.databaseFile))
  const [first, ...others] = tightenData(config)
  if (first === undefined) return
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  warn(`Others on this machine may read ${first}${more}: the mode cannot be changed`)
}

/** @throws ConfigError naming the variable, when the product cannot write there */
async function prepareFolder(variable: 'DATA_DIR' | 'DATABASE_URL', path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `${variable}: ${path} cannot be written (${code}). Choose another folder, or give this one to the user that runs the program.`,
    )
  }
}
