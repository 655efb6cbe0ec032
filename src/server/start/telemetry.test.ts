import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readConfig } from '../config'
import { cronTasks } from '../cron-tasks'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { recordLog } from '../testing/fixtures/log-lines'
import {
  readAttributes,
  startOtlpReceiver,
  type ReceivedSpan,
} from '../testing/servers/otlp-receiver'
import { openSyncStage, type SyncStage } from '../testing/stages/sync-stage'
import { startTelemetry } from './telemetry'

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
let stage: SyncStage
let log: ReturnType<typeof recordLog>

beforeEach(async () => {
  receiver = await startOtlpReceiver()
  log = recordLog()
  stage = await openSyncStage({ logger: log.logger, cronTasks })
})
afterEach(async () => {
  await stage.close()
  await receiver.close()
})

/** Does some work while a collector is told, and returns what it has been told then. */
async function follow(work: () => Promise<unknown>, endpoint = receiver.url) {
  const { telemetry } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20s3cret',
    OTEL_SERVICE_NAME: 'stock',
  })
  const { deps } = stage
  const stop = await startTelemetry({ ...deps, config: { ...deps.config, telemetry } })
  await work()
  await stop()
  return receiver
}

const named = (spans: ReceivedSpan[], name: string) => {
  const found = spans.filter((span) => span.name === name)
  expect([name, found.length]).toEqual([name, 1])
  return found[0]!
}

describe('a collector', () => {
  it('is told of a sync in one trace: what was fetched, read, examined and published', async () => {
    const { spans, resources, requests } = await follow(() => stage.publishFirst())
    const sync = named(spans, 'sync')
    const { id } = await stage.current()
    expect(readAttributes(sync.attributes)).toMatchObject({
      connectionId: id,
      outcome: 'published',
      rowCount: 2,
    })
    expect(sync.parentSpanId ?? '').toBe('')
    for (const name of ['fetch', 'read', 'examine', 'publish']) {
      const part = named(spans, name)
      expect([part.traceId, part.parentSpanId]).toEqual([sync.traceId, sync.spanId])
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(sync.startTimeUnixNano))
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(sync.endTimeUnixNano))
    }
    expect(readAttributes(named(spans, 'fetch').attributes).bytes).toBeGreaterThan(0)
    expect(readAttributes(resources[0]!)).toMatchObject({
      'service.name': 'stock',
      'service.version': stage.deps.config.productVersion,
    })
    expect(requests.map(({ path }) => path).toSorted()).toEqual(['/v1/metrics', '/v1/traces'])
    for (const { headers } of requests) expect(headers.authorization).toBe('Bearer s3cret')
  })

  it('is told by its code why a sync has failed, and nothing of whose it is', async () => {
    stage.sourceServer.set('/feed.csv', { status: 500 })
    const { spans, metrics } = await follow(async () => {
      await stage.connect()
      await stage.deps.work()
    })
    const failed = { code: 2, message: 'http-status' }
    expect(named(spans, 'sync').status).toMatchObject(failed)
    expect(named(spans, 'fetch').status).toMatchObject(failed)
    expect(spans.map(({ name }) => name)).not.toContain('publish')
    const said = JSON.stringify([spans, metrics])
    const { username } = stage.supplier
    for (const text of [stage.sourceServer.host, 'feed.csv', username, '127.0.0.1', 's3cret']) {
      expect(said).not.toContain(text)
    }
    expect(log.text()).not.toContain('s3cret')
  })

  it('is told of each sync in a trace of its own, and of cron jobs', async () => {
    const { spans } = await follow(async () => {
      await ensureCronJobs(stage.deps)
      await stage.publishFirst()
      stage.deps.clock.advance(25 * 3_600_000)
      await stage.deps.work()
      await stage.deps.work()
    })
    const syncs = spans.filter(({ name }) => name === 'sync')
    expect(syncs.length).toBeGreaterThan(1)
    expect(new Set(syncs.map(({ traceId }) => traceId)).size).toBe(syncs.length)
    const jobs = spans.filter(({ name }) => name === 'cron job')
    expect(jobs.map(({ attributes }) => readAttributes(attributes).job)).toContain('backup')
  })

  it('is told of the same metrics as Prometheus, with the same values', async () => {
    let text = ''
    const { metrics } = await follow(async () => {
      await stage.publishFirst()
      for (const seconds of [0.001, 0.3, 100]) {
        const request = { method: 'GET', route: '/x', statusCode: 200, seconds }
        stage.deps.metrics.requestFinished(request)
      }
      ;({ text } = await stage.deps.metrics.scrape())
    })
    // What could not be measured is no number, and is not sent.
    const families = [...text.matchAll(/^# TYPE (stockbridge_\S+)/gm)].map(([, name = '']) => name)
    const measured = families.filter((name) =>
      new RegExp(`^${name}(?:_count)?(?:\\{.*\\})? (?!Nan)`, 'm').test(text),
    )
    expect(measured).toContain('stockbridge_sync_rows_total')
    const ofProcess = ['process_cpu_seconds_total', 'nodejs_heap_size_used_bytes']
    const told = metrics.map(({ name }) => name)
    expect(told).toEqual(expect.arrayContaining([...measured, ...ofProcess]))
    const find = (name: string) => metrics.find((metric) => metric.name === name)
    expect(find('stockbridge_sync_rows_total')?.sum).toMatchObject({
      isMonotonic: true,
      dataPoints: [{ asDouble: 2 }],
    })
    expect(find('stockbridge_syncs_waiting')?.gauge?.dataPoints[0]?.asDouble).toBe(0)
    const [requests] =
      find('stockbridge_http_request_duration_seconds')?.histogram?.dataPoints ?? []
    expect(readAttributes(requests!.attributes)).toEqual({
      route: '/x',
      method: 'GET',
      status: '2xx',
    })
    const { count, sum, bucketCounts = [], explicitBounds = [] } = requests!
    expect(count).toBe(3)
    expect(sum).toBeCloseTo(100.301)
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1)
    const limits = [...explicitBounds, Infinity].filter(
      (_limit, index) => bucketCounts[index] === 1,
    )
    expect(limits).toEqual([0.005, 0.5, Infinity])
    expect(bucketCounts.reduce((total, each) => total + each, 0)).toBe(3)
  })

  it('that does not answer is told of once in the log, and holds nothing up', async () => {
    await follow(() => stage.publishFirst(), 'http://127.0.0.1:1')
    expect(await stage.current()).toMatchObject({ status: 'synced' })
    const told = log.lines().filter(({ msg }) => /collector of OpenTelemetry/.test(msg))
    expect(told.length).toBeLessThanOrEqual(1)
  })
})

it('nobody is told unless a collector is named', async () => {
  const stop = await startTelemetry(stage.deps)
  await stage.publishFirst()
  await stop()
  expect(readConfig({}).telemetry).toBeNull()
  expect(receiver.requests).toEqual([])
})

it.each(['authorization', 'a=%', '=x', 'a b=c'])('%j are no headers', (headers) => {
  const read = () => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: headers })
  expect(read).toThrow('OTEL_EXPORTER_OTLP_HEADERS: must be name=value, comma-separated')
})
