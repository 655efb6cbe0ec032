import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { writeClientFiles } from '../../fixtures/client-files'
import { makeSample } from '../../fixtures/samples'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { callOver, matrixCalls, successOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { ACTOR_NAMES, ACTORS } from './actors'

let sourceServer: SourceServer
let clientDir: string
/** Shared by all tests; after each, its rows are restored. */
let world: World
let pristine: Snapshot

beforeAll(async () => {
  sourceServer = await startSourceServer()
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  world = await openWorld(sourceServer, { clientDir })
  pristine = await takeSnapshot(world.testApp.deps.db)
})
afterEach(async () => {
  const { deps } = world.testApp
  await deps.queue.idle()
  await restoreSnapshot(deps.db, pristine)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
  await rm(clientDir, { recursive: true })
})

describe.each(matrixCalls)('$name over $transport', (call) => {
  const { row, transport } = call
  const cases = ACTORS.map((actor) => ({
    actor,
    who: ACTOR_NAMES[actor],
    status: successOf(call, actor),
  }))

  it.each(cases)('returns $status to $who', async ({ actor, status }) => {
    const { app, deps, client } = world.testApp
    const sample = await makeSample(row, world, actor)
    const before = await takeSnapshot(deps.db)
    const caller = client(world.clients[actor].cookie)
    const response = await callOver(app, transport, row, caller, sample)
    expect(response.status, response.text).toBe(status)
    // A refused call changes no row.
    expect(status >= 400 ? await takeSnapshot(deps.db) : before).toEqual(before)
  })
})
