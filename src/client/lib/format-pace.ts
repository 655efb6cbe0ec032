import { formatCountOf, formatSyncFrequency } from '../../shared/format'
import type { Connection } from '../../shared/schemas/connection'

type Paced = Pick<Connection, 'config' | 'syncFrequency' | 'expectedEveryHours'>

/** How often a connection gets a file: how often it is fetched, or expected to be sent. */
export function formatPace({ config, syncFrequency, expectedEveryHours: hours }: Paced): string {
  if (config.url !== '') return formatSyncFrequency(syncFrequency)
  if (hours === null) return 'When a file is sent'
  return `Expected within ${hours % 24 === 0 ? formatCountOf(hours / 24, 'day') : formatCountOf(hours, 'hour')}`
}
