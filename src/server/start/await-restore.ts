import { setTimeout as sleep } from 'node:timers/promises'

import type { Config } from '../config'
import { isRestoring } from '../restore/restore-elsewhere'

const LOOK_EVERY_MS = 2_000

/**
 * Waits while a backup that was chosen in the browser replaces the data, rather than to end again and again.
 * @param print receives a line for the operator when it has to wait
 */
export async function awaitRestore(config: Config, print: (line: string) => void): Promise<void> {
  for (let isWaiting = false; await isRestoring(config); isWaiting = true) {
    if (!isWaiting) print('A backup is being restored: waiting')
    await sleep(LOOK_EVERY_MS)
  }
}
