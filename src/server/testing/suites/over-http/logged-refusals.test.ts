import { afterEach, beforeEach, expect, it } from 'vitest'

import { createLinkedRetailer } from '../../fixtures/factories'
import { isAlarming, recordLog, type LogRecorder } from '../../fixtures/log-lines'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openTestApp } from '../../stages/test-app'
import { openWorld, type World } from '../../stages/world'

const INFO = 'info'
const PREPARED = 'Your file is being prepared. Try again in a moment.'

let sourceServer: SourceServer
let log: LogRecorder
let world: World

beforeEach(async () => {
  sourceServer = await startSourceServer()
  log = recordLog()
  world = await openWorld(sourceServer, {}, { logger: log.logger })
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

it('a file that is being prepared is no error in the log, over both transports', async () => {
  const { deps } = world.testApp
  const visibility = { allProducts: false, categories: ['Hats'] }
  const { id, user } = await createLinkedRetailer(deps, world.supplier, visibility)
  const client = await world.testApp.signIn(user)
  const file = await client.request('GET', `/api/retailers/${id}/files/${world.fileName}`)
  expect(file.status).toBe(503)
  const rows = await client.call('query', 'retailers.rows', { id, fileName: world.fileName })
  expect(rows.status).toBe(503)
  const failures = log.lines().filter(({ msg }) => msg.endsWith(' failed'))
  expect(failures.map(({ level, reason, err }) => [level, reason, err])).toEqual([
    [INFO, PREPARED, undefined],
    [INFO, PREPARED, undefined],
  ])
})

it('a sign-in without a provider is no error in the log', async () => {
  const without = await openTestApp({}, { logger: log.logger })
  const { status } = await without.client().request('GET', '/api/auth/google/start?attempt=1')
  await without.close()
  expect(status).toBe(501)
  expect(log.text()).toContain('A sign-in with Google failed')
  expect(log.lines().filter(isAlarming)).toEqual([])
})
