import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'

import { closeServer, listenOnLoopback } from './loopback'

type Attribute = { key: string; value: Record<string, string | number> }
type Scope = { scope: { name: string } }

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number; message?: string }
}

interface ReceivedPoint {
  attributes: Attribute[]
  asDouble?: number
  count?: number
  sum?: number
  bucketCounts?: number[]
  explicitBounds?: number[]
}

interface ReceivedMetric {
  name: string
  gauge?: { dataPoints: ReceivedPoint[] }
  sum?: { dataPoints: ReceivedPoint[]; isMonotonic: boolean }
  histogram?: { dataPoints: ReceivedPoint[] }
}

type Body = {
  resourceSpans?: {
    resource: { attributes: Attribute[] }
    scopeSpans: (Scope & { spans: ReceivedSpan[] })[]
  }[]
  resourceMetrics?: { scopeMetrics: (Scope & { metrics: ReceivedMetric[] })[] }[]
}

/** A collector of OpenTelemetry that takes what is sent over OTLP as JSON. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const metrics: ReceivedMetric[] = []
  const resources: Attribute[][] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    const body = (await json(request)) as Body
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      resources.push(resource.attributes)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response))
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    resources,
    requests,
    close: () => closeServer(server),
  }
}

/** Attributes by name. */
export const readAttributes = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
