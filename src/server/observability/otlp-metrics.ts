import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'

import type { MetricFamily, MetricPoint } from './metrics'

/** A point in time as OpenTelemetry has it. */
type HrTime = [seconds: number, nanoseconds: number]
/** Of OpenTelemetry's API: a number that need not be whole. */
const DOUBLE = 1

/**
 * The metrics of Prometheus as OpenTelemetry has them, with the same names and labels. What could not be measured is left
 * out: there is nothing that is no number.
 * @param startedAt since when they count, in Unix milliseconds, and `now` as of when
 */
export function toOtlpMetrics(
  families: readonly MetricFamily[],
  { startedAt, now }: { startedAt: number; now: number },
): MetricData[] {
  const times = { startTime: toHrTime(startedAt), endTime: toHrTime(now) }
  return families.flatMap((family) => {
    const common = {
      descriptor: { name: family.name, description: family.help, unit: '', valueType: DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    if (family.type === 'histogram') {
      const dataPoints = toHistograms(family.values, times)
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
    const dataPoints = family.values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ value, labels }) => ({ ...times, value, attributes: labels }))
    if (dataPoints.length === 0) return []
    return family.type === 'counter'
      ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
  })
}

type Times = { startTime: HrTime; endTime: HrTime }

/** Each has its buckets, which count all below their limits, and its sum and count among the values. */
function toHistograms(values: readonly MetricPoint[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, MetricPoint[]>()
  for (const value of values) {
    const { le: _limit, ...labels } = value.labels
    const names = Object.keys(labels).toSorted()
    const key = JSON.stringify(names.map((name) => [name, labels[name]]))
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series.values()].map((points) => {
    const buckets = points.filter(({ labels }) => labels.le !== undefined)
    const { le: _limit, ...attributes } = points[0]!.labels
    const find = (end: string) => points.find(({ name }) => name.endsWith(end))?.value ?? 0
    const below = buckets.map(({ value }) => value)
    return {
      ...times,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
          counts: below.map((count, index) => count - (below[index - 1] ?? 0)),
        },
        sum: find('_sum'),
        count: find('_count'),
      },
    }
  })
}

const toHrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}
