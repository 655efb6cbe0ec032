import { get } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../shared/constants'
import { runCronJobNow } from '../features/operations/cron-jobs/cron-jobs'
import { recordTick } from '../features/operations/scheduling/scheduler-ticks'
import { createSupplierConnection } from '../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { openTestDeps } from '../testing/stages/test-deps'
import { openWorld, type World } from '../testing/stages/world'
import { startOperatorServer } from './operator-server'

let sourceServer: SourceServer
let world: World
let check: () => Promise<void>
let operator: { url: string; close(): Promise<unknown> }

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  check = async () => undefined
  operator = await startOperatorServer(world.testApp.deps, {
    port: 0,
    variable: 'WORKER_PORT',
    check: () => check(),
  })
})
afterEach(async () => {
  await operator.close()
  await world.testApp.close()
  await sourceServer.close()
})

async function scrape(): Promise<string> {
  const response = await fetch(`${operator.url}/metrics`)
  expect(response.headers.get('content-type')).toMatch('text/plain')
  return response.text()
}

describe('the operator port', () => {
  it('looks at the database and the disk once for requests at the same time', async () => {
    const { deps } = world.testApp
    const finished = Promise.withResolvers<void>()
    let scrapes = 0
    const opened = await startOperatorServer(
      {
        ...deps,
        metrics: {
          ...deps.metrics,
          async scrape() {
            scrapes += 1
            await finished.promise
            return { contentType: 'text/plain', text: '' }
          },
        },
      },
      { port: 0, variable: 'METRICS_PORT', check },
    )
    const { port } = new URL(opened.url)
    const socket = connect(Number(port), '127.0.0.1')
    let answers = ''
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()))
    // Both arrive before the first one is answered.
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2))
    await expect.poll(() => scrapes).toBeGreaterThan(0)
    await setImmediate()
    finished.resolve()
    await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    socket.destroy()
    await opened.close()
    expect(scrapes).toBe(1)
  })

  it('listens on loopback only', () => {
    expect(new URL(operator.url).hostname).toBe('127.0.0.1')
  })

  it('answers at localhost and IP addresses only', async () => {
    const { port } = new URL(operator.url)
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/metrics', headers: { host } }
        get(options, (response) => resolve(response.resume().statusCode)).on('error', reject)
      })
    expect(await ask(`localhost:${port}`)).toBe(200)
    expect(await ask(`127.0.0.1:${port}`)).toBe(200)
    expect(await ask(`evil.example:${port}`)).toBe(421)
  })

  it('listens on the address that METRICS_HOST names, and tells its URL', async () => {
    const { deps } = world.testApp
    for (const [metricsHost, shown] of [
      ['::1', '[::1]'],
      ['0.0.0.0', '127.0.0.1'],
      ['::', 'localhost'],
    ] as const) {
      const opened = await startOperatorServer(
        { ...deps, config: { ...deps.config, metricsHost } },
        { port: 0, variable: 'METRICS_PORT', check },
      )
      const { status } = await fetch(`${opened.url}/metrics`)
      await opened.close()
      expect([new URL(opened.url).hostname, status]).toEqual([shown, 200])
    }
    const taken = { ...deps, config: { ...deps.config, metricsHost: '192.0.2.1' } }
    await expect(
      startOperatorServer(taken, { port: 0, variable: 'METRICS_PORT', check }),
    ).rejects.toThrow(/^METRICS_HOST: .*192\.0\.2\.1/)
  })

  it('serves liveness and readiness', async () => {
    const ask = async (path: string) => (await fetch(`${operator.url}${path}`)).status
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 200])
    check = () => Promise.reject(new Error('no'))
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 503])
  })

  it('tells how the process is, which nobody measures without it', async () => {
    const unserved = await openTestDeps()
    const { text } = await unserved.metrics.scrape()
    await unserved.close()
    expect(text).not.toMatch('nodejs_eventloop_lag_seconds')
    expect(await scrape()).toMatch('nodejs_eventloop_lag_seconds')
  })

  it('counts requests by route pattern, never by path', async () => {
    const { clients, retailer, fileName } = world
    await clients.ownRetailer.request('GET', `/api/retailers/${retailer.id}/files/${fileName}?a=b`)
    await clients.ownRetailer.request('GET', '/api/nothing')
    const text = await scrape()
    const route = '/api/retailers/:id/files/:fileName'
    expect(text).toMatch(`_count{route="${route}",method="GET",status="2xx"} 1`)
    expect(text).toMatch('_count{route="none",method="GET",status="4xx"} 1')
    expect(text).not.toMatch(fileName)
    expect(text).not.toMatch('nothing')
  })

  it('counts procedure calls of both transports by outcome', async () => {
    await world.clients.anonymous.request('GET', '/api/retailers/1/latest-file')
    await world.clients.anonymous.call('query', 'retailers.latestFile', { id: 1 })
    expect(await scrape()).toMatch(
      'stockbridge_procedure_duration_seconds_count{procedure="retailers.latestFile",outcome="UNAUTHORIZED"} 2',
    )
  })

  it('counts syncs with their rows and bytes, and downloads', async () => {
    const { clients, retailer, fileName, testApp, otherSupplier, sourceUrl } = world
    await createSupplierConnection(testApp.deps, otherSupplier, sourceUrl)
    await testApp.deps.work()
    await clients.ownRetailer.request('GET', `/api/retailers/${retailer.id}/files/${fileName}`)
    const text = await scrape()
    expect(text).toMatch('stockbridge_sync_duration_seconds_count{outcome="published"} 1')
    expect(text).toMatch('stockbridge_sync_rows_total 2')
    expect(text).toMatch('stockbridge_sync_bytes_total 58')
    expect(text).toMatch('stockbridge_downloads_total 1')
    expect(text).toMatch('stockbridge_download_bytes_total 58')
  })

  it('counts the runs of cron jobs by outcome', async () => {
    const { deps } = world.testApp
    await runCronJobNow(deps, BACKUP_JOB)
    await deps.queue.idle()
    expect(await scrape()).toMatch(
      `stockbridge_cron_run_duration_seconds_count{job="${BACKUP_JOB}",outcome="succeeded"} 1`,
    )
  })

  it('shows the backlog in the database and the age of its oldest item', async () => {
    const { deps } = world.testApp
    expect(await scrape()).toMatch('stockbridge_syncs_waiting 0')
    await createSupplierConnection(deps, world.otherSupplier, world.sourceUrl)
    deps.clock.advance(30_000)
    const text = await scrape()
    expect(text).toMatch('stockbridge_syncs_waiting 1')
    expect(text).toMatch('stockbridge_sync_oldest_due_seconds 30')
    expect(text).toMatch('stockbridge_syncs_running 0')
    expect(text).toMatch('stockbridge_variants_waiting 0')
  })

  it('shows how long ago a scheduler worked, in any process', async () => {
    const { deps } = world.testApp
    expect(await scrape()).toMatch('stockbridge_scheduler_tick_age_seconds Nan')
    await recordTick(deps)
    deps.clock.advance(90_000)
    expect(await scrape()).toMatch('stockbridge_scheduler_tick_age_seconds 90')
  })

  it('tells which version runs, and on which Node', async () => {
    const { productVersion, productRevision = '' } = world.testApp.deps.config
    const labels = `{version="${productVersion}",revision="${productRevision}",node="${process.version}"}`
    expect(await scrape()).toMatch(`stockbridge_build_info${labels} 1`)
  })

  it('still serves counters while the database is unavailable', async () => {
    const { clients, testApp } = world
    await clients.administrator.request('GET', '/api/user')
    await testApp.deps.db.destroy()
    const text = await scrape()
    expect(text).toMatch('stockbridge_syncs_waiting Nan')
    expect(text).toMatch('_count{route="/api/user",method="GET",status="2xx"} 1')
  })
})

it('serves no metrics on the public port', async () => {
  const { status, text } = await world.clients.administrator.request('GET', '/metrics')
  expect(status).toBe(404)
  expect(text).not.toMatch('stockbridge_')
})
