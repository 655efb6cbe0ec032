import { isS3Address } from '../../shared/s3-address'
import type { ConnectionRow } from '../db/schema'
import { NO_ADDRESS, type StoredConfig } from '../db/stored-json'

type WithConfig = Pick<ConnectionRow, 'config'>

/** Whether a connection has an address to fetch files from. */
export const hasAddress = ({ config }: WithConfig): boolean => config.url !== NO_ADDRESS.url

/** Returns the `host:port` of a source, by which outages are detected; undefined without an address. */
export function readHost(connection: WithConfig): string | undefined {
  return hasAddress(connection) ? hostOf(connection.config) : undefined
}

/** A bucket has a host of its own at Amazon, and that of its endpoint elsewhere. */
function hostOf({ url, auth }: StoredConfig): string {
  const { host } = new URL(url)
  if (!isS3Address(url) || auth?.type !== 's3') return host
  const { endpoint, region } = auth
  return endpoint === undefined ? `${host}.s3.${region}.amazonaws.com` : new URL(endpoint).host
}

/** The hosts that a sync of a connection may contact, by which requests are limited: those of its source and overlay. */
export function readHosts(connection: WithConfig & Pick<ConnectionRow, 'overlay'>): string[] {
  if (!hasAddress(connection)) return []
  const { config, overlay } = connection
  return [...new Set((overlay ? [config, overlay] : [config]).map(hostOf))]
}
