import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll } from 'vitest'

import { writeClientFiles } from '../fixtures/client-files'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../servers/source-server'
import type { World } from './world'

/**
 * Opens one world for all tests of a file; after each, its rows are restored.
 * @param open with a folder that has the files of a built client
 * @returns restores them within a test
 */
export function shareWorld(
  open: (sourceServer: SourceServer, clientDir: string) => Promise<World>,
): { restoreRows(): Promise<void> } {
  let sourceServer: SourceServer
  let clientDir: string
  let world: World
  let pristine: Snapshot
  beforeAll(async () => {
    sourceServer = await startSourceServer()
    clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
    await writeClientFiles(clientDir)
    world = await open(sourceServer, clientDir)
    pristine = await takeSnapshot(world.testApp.deps.db)
  })
  const restoreRows = () => restoreSnapshot(world.testApp.deps.db, pristine)
  afterEach(async () => {
    await world.testApp.deps.queue.idle()
    await restoreRows()
  })
  afterAll(async () => {
    await world.testApp.close()
    await sourceServer.close()
    await rm(clientDir, { recursive: true })
  })
  return { restoreRows }
}
