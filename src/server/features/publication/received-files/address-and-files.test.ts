import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { NO_GUARD } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { saveGuard } from '../publishing/guard'

const fileOf = (sku: string) => `sku,qty\r\n${sku},1\r\n`

let server: SourceServer
let stage: ByHandStage

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/feed.csv', { body: fileOf('of-address') })
  stage = await openByHandStage({ url: server.url('/feed.csv') }, { fetchAllow: [server.host] })
  await saveGuard(stage.deps, stage.supplier, { id: stage.id, guard: NO_GUARD })
  await stage.deps.work()
})
afterEach(async () => {
  await stage.close()
  await server.close()
})

const published = () => stage.publishedText()
async function wait(ms: number) {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}

describe('a connection with an address', () => {
  it('publishes what is sent to it, and keeps its schedule', async () => {
    await stage.send('stock.csv', fileOf('by-hand'))
    await stage.deps.work()
    expect(await published()).toBe(fileOf('by-hand'))
    const { nextSyncAt } = await stage.current()
    expect(nextSyncAt).toBe(new Date(stage.deps.clock.now() + HOUR_MS).toISOString())
  })

  it('does not fall back to the older file at its address', async () => {
    await stage.send('stock.csv', fileOf('by-hand'))
    await stage.deps.work()
    for (const ms of [HOUR_MS, DAY_MS]) {
      await wait(ms)
      expect(await published()).toBe(fileOf('by-hand'))
      expect(await stage.current()).toMatchObject({ status: 'synced' })
    }
  })

  it('publishes the next file of its address', async () => {
    await stage.send('stock.csv', fileOf('by-hand'))
    await stage.deps.work()
    server.set('/feed.csv', { body: fileOf('newer') })
    await wait(HOUR_MS)
    expect(await published()).toBe(fileOf('newer'))
    server.set('/feed.csv', { body: fileOf('of-address') })
    await wait(HOUR_MS)
    expect(await stage.current()).toMatchObject({ lastError: null })
    expect(await published()).toBe(fileOf('of-address'))
  })

  it('still tells when its address fails', async () => {
    await stage.send('stock.html', '<!doctype html><html><body>Sign in</body></html>')
    await stage.deps.work()
    expect(await stage.states()).toEqual({ 'stock.html': 'refused' })
    await wait(HOUR_MS)
    expect(await stage.current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
  })

  it('can be changed to files by hand, and back', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, config: {} })
    expect(await stage.current()).toMatchObject({ config: { url: '' }, nextSyncAt: null })
    server.set('/feed.csv', { body: fileOf('newer') })
    await wait(DAY_MS)
    expect(await published()).toBe(fileOf('of-address'))
    await updateConnection(deps, supplier, { id, config: { url: server.url('/feed.csv') } })
    await deps.work()
    expect(await published()).toBe(fileOf('newer'))
  })
})
