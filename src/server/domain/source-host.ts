import type { ConnectionRow } from '../db/schema'
import { NO_ADDRESS } from '../db/stored-json'

type WithConfig = Pick<ConnectionRow, 'config'>

/** Whether a connection has an address to fetch files from. */
export const hasAddress = ({ config }: WithConfig): boolean => config.url !== NO_ADDRESS.url

/** Returns the `host:port` of a source, by which outages are detected; undefined without an address. */
export function readHost(connection: WithConfig): string | undefined {
  return hasAddress(connection) ? new URL(connection.config.url).host : undefined
}

/** The hosts that a sync of a connection may contact, by which requests are limited: those of its source and overlay. */
export function readHosts(connection: WithConfig & Pick<ConnectionRow, 'overlay'>): string[] {
  if (!hasAddress(connection)) return []
  const { config, overlay } = connection
  const urls = overlay ? [config.url, overlay.url] : [config.url]
  return [...new Set(urls.map((url) => new URL(url).host))]
}
