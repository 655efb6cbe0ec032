import type { ConnectionRow } from '../db/schema'

/** Returns the `host:port` of a source, by which requests are limited and outages detected. */
export function readHost({ config }: Pick<ConnectionRow, 'config'>): string {
  return new URL(config.url).host
}
