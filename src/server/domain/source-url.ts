import type { ConnectionRow } from '../db/schema'

type WithSource = Pick<ConnectionRow, 'configJson'>

export function readUrl(connection: WithSource): string {
  return (JSON.parse(connection.configJson) as { url: string }).url
}

/** Host and port of a connection's source: what is asked politely, and fails as one. */
export function readHost(connection: WithSource): string {
  return new URL(readUrl(connection)).host
}
