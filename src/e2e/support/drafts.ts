import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from './rest-client'

/**
 * Waits until a sync writes what it reads. After its feed was asked for, that may take long on a busy machine: the
 * process that reads starts only then, at a lower priority.
 */
export const untilReading = (dataDir: string): Promise<string[]> =>
  until(
    () => readdir(join(dataDir, 'files/drafts')),
    (drafts) => drafts.length > 0,
  )
