import type { Deps } from '../domain/deps'
import { setSpanKeeper } from '../observability/spans'

/** A collector that cannot be reached fails with each batch. */
const TELL_EVERY_MS = 10 * 60_000

/**
 * Tells the collector that the configuration names of spans and metrics; without one, nothing of it is even loaded.
 * @returns ends it
 */
export async function startTelemetry({
  config,
  metrics,
  logger,
  clock,
}: Pick<Deps, 'config' | 'metrics' | 'logger' | 'clock'>): Promise<() => Promise<void>> {
  if (!config.telemetry) return async () => undefined
  const { openOtlpTelemetry } = await import('../observability/telemetry-otlp')
  metrics.measureProcess()
  let toldAt = -Infinity
  const telemetry = openOtlpTelemetry(config.telemetry, {
    metrics,
    version: config.productVersion,
    now: () => clock.now(),
    onFailure(reason) {
      if (performance.now() - toldAt < TELL_EVERY_MS) return
      toldAt = performance.now()
      logger.warn({ reason: reason.slice(0, 300) }, 'The collector of OpenTelemetry was not told')
    },
  })
  setSpanKeeper(telemetry.spans)
  return async () => {
    setSpanKeeper(undefined)
    await telemetry.close()
  }
}
