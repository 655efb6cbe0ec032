import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

import { codeOf } from '../process/error-code'
import type { Metrics } from './metrics'
import { toOtlpMetrics } from './otlp-metrics'
import type { Span, SpanAttributes, SpanKeeper } from './spans'

export interface TelemetrySettings {
  /** Of a collector, such as `http://127.0.0.1:4318`. */
  url: string
  headers: Record<string, string>
  serviceName: string
}

interface Watched {
  metrics: Pick<Metrics, 'collect'>
  version: string
  /** Unix milliseconds. */
  now: () => number
  /** Told of what keeps a collector from being told. */
  onFailure(message: string): void
}

const SCOPE = 'stockbridge'
const METRICS_EVERY_MS = 60_000
/** A collector that hangs must hold up no stop. */
const CLOSE_WITHIN_MS = 3_000
const EXPORT_WITHIN_MS = 10_000

export interface Telemetry {
  spans: SpanKeeper
  /** Sends what has not been sent, if that can be done in a moment. */
  close(): Promise<void>
}

/** Tells a collector of spans, and each minute of all metrics, over OTLP. */
export function openOtlpTelemetry(settings: TelemetrySettings, watched: Watched): Telemetry {
  const { url, headers, serviceName } = settings
  const exporting = (path: string) => ({
    url: `${url.replace(/\/$/, '')}/v1/${path}`,
    headers,
    timeoutMillis: EXPORT_WITHIN_MS,
  })
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': watched.version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  })
  diag.setLogger({
    error: watched.onFailure,
    warn: watched.onFailure,
    info: () => undefined,
    debug: () => undefined,
    verbose: () => undefined,
  })
  const traces = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(exporting('traces')) }),
    ],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(exporting('metrics')),
    exportIntervalMillis: METRICS_EVERY_MS,
    exportTimeoutMillis: EXPORT_WITHIN_MS,
    metricProducers: [createProducer(watched, resource)],
  })
  const meters = new MeterProvider({ resource, readers: [reader] })
  return {
    spans: keepSpans(traces.getTracer(SCOPE, watched.version), watched.now),
    async close() {
      const sent = Promise.allSettled([traces.shutdown(), meters.shutdown()])
      await Promise.race([sent, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
      diag.disable()
    },
  }
}

/** What Prometheus would be told. */
function createProducer({ metrics, version, now }: Watched, resource: Resource): MetricProducer {
  const startedAt = now()
  return {
    async collect() {
      const families = await metrics.collect()
      const scope = { name: SCOPE, version }
      const scopeMetrics = [{ scope, metrics: toOtlpMetrics(families, { startedAt, now: now() }) }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

function keepSpans(tracer: Tracer, now: () => number): SpanKeeper {
  const open = (name: string, attributes: SpanAttributes, parent = ROOT_CONTEXT): Span => {
    const span = tracer.startSpan(name, { attributes, kind: SpanKind.INTERNAL }, parent)
    return {
      set: (more) => void span.setAttributes(more),
      begin: (part, more = {}) => open(part, more, trace.setSpan(ROOT_CONTEXT, span)),
      end(error) {
        if (!span.isRecording()) return
        if (error !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: describe(error) })
        }
        span.end()
      },
    }
  }
  return {
    open: (name, attributes) => open(name, attributes),
    record(name, attributes, seconds, isFailed) {
      const endTime = now()
      const startTime = endTime - seconds * 1_000
      const span = tracer.startSpan(
        name,
        { attributes, kind: SpanKind.SERVER, startTime },
        ROOT_CONTEXT,
      )
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(endTime)
    },
  }
}

/** Its code: its text may name a server or a person. */
const describe = (error: unknown) => codeOf(error) || 'error'
