import type { Logger } from 'pino'

import type { Config } from './config'
import type { Deps } from './domain/deps'
import { chooseDrivers } from './drivers'
import { requireNoRestoreElsewhere } from './restore/restore-elsewhere'
import { requireNoRestore } from './restore/restore-state'
import { prepareDataFolders } from './start/data-folder'
import { unwire, wire } from './wire'

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens the product on its data. */
export async function openDeps(config: Config, logger: Logger): Promise<OpenDeps> {
  await requireNoRestore(config.dataDir)
  await prepareDataFolders(config, (line) => logger.warn(line))
  const { drivers, close } = await chooseDrivers(config, logger)
  try {
    // A restore that has begun since may have seen nobody here.
    await requireNoRestore(config.dataDir)
    await requireNoRestoreElsewhere(drivers.db)
  } catch (error) {
    await close()
    throw error
  }
  const deps = wire(config, drivers)
  return {
    deps,
    async close() {
      await unwire(deps)
      await close()
    },
  }
}
