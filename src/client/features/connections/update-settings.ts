import type { Connection } from '../../../shared/schemas/connection'
import type { UpdateSettingsInput } from '../../../shared/schemas/updates'

/** What a form begins with. */
export function toUpdatesInput(connection: Connection | null): UpdateSettingsInput | null {
  if (!connection?.updates) return null
  const { gap: _, ...settings } = connection.updates
  return settings
}

/** Says something of the next file only where the form has changed it: that file may have come meanwhile. */
export function withNextFile<Settings extends { updates: UpdateSettingsInput | null }>(
  settings: Settings,
  connection: Connection | null,
): Settings {
  const known = connection?.updates
  if (!known || settings.updates?.nextIsFull !== known.nextIsFull) return settings
  const { nextIsFull: _, ...updates } = settings.updates
  return { ...settings, updates }
}
