import type { ConnectionRow } from '../db/schema'
import { NO_ADDRESS } from '../db/stored-json'

type WithConfig = Pick<ConnectionRow, 'config'>

/** Whether a connection has an address to fetch files from. */
export const hasAddress = ({ config }: WithConfig): boolean => config.url !== NO_ADDRESS.url

/**
 * Returns the `host:port` of a source, by which requests are limited and outages detected; undefined without
 * an address.
 */
export function readHost(connection: WithConfig): string | undefined {
  return hasAddress(connection) ? new URL(connection.config.url).host : undefined
}
