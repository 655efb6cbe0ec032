import { access, constants, mkdir } from 'node:fs/promises'

import { ConfigError } from './config'

/**
 * Makes the folder where it is missing; nobody else may look into a new one.
 * @throws ConfigError naming the variable, when the product cannot write there
 */
export async function prepareFolder(
  variable: 'DATA_DIR' | 'DATABASE_URL',
  path: string,
): Promise<void> {
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
