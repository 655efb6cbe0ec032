import { isDeepStrictEqual } from 'node:util'

import type { UpdateConnectionInput } from '../../../../shared/schemas/connection'
import type { CategoryReading } from '../../../../shared/schemas/file'
import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { RELEASED } from '../../../domain/lease'
import { hasAddress } from '../../../domain/source-host'
import { recordConnectionChange } from '../../people/audit/audited-records'
import { changeConnectionRow } from './connections.queries'
import { changeOverlay, requireCompatible } from './overlay-settings'
import { sourceOwner } from './source-address'
import { sourceOf, toSourceConfig, toStoredConfig } from './source-config'
import { toSyncIntervalMs } from './sync-interval'
import { cancelOpenSyncRuns } from './sync-runs.queries'
import { changeUpdates, findOutdated, requireUpdatable } from './update-settings'
import { hasWaitingFile } from './waiting-files.queries'

/** Clears the validators of the last response, so that the next request is unconditional. */
const WITHOUT_VALIDATORS = { etag: null, lastModified: null } as const
const UNKNOWN_SOURCE = { consecutiveFailures: 0, lastError: null, isSlow: false } as const

type SettingsChange = Omit<UpdateConnectionInput, 'id'>

/**
 * Changes settings of a connection: a new source or reading makes it due, and ends its running sync.
 * @param input with private keys as `unlockSources` returns them
 */
export async function changeConnection(
  trx: WriteTransaction,
  deps: Deps,
  connection: Owned<ConnectionRow>,
  input: SettingsChange,
): Promise<ConnectionRow> {
  await requireUpdatable(trx, connection, input.updates)
  const hasFile = await hasWaitingFile(trx, connection.id)
  const outdated = await findOutdated(trx, connection, input.updates)
  const changes = { ...outdated, ...toChanges(deps, connection, input, hasFile) }
  if (Object.keys(changes).length === 0) return connection
  if (changes.leaseToken === null) {
    await cancelOpenSyncRuns(trx, connection.id, deps.clock.now(), 'The connection was changed')
  }
  const row = await changeConnectionRow(trx, connection, changes)
  const states = { before: connection, after: row }
  await recordConnectionChange(trx, deps, { verb: 'update', ...states })
  return row
}

/** @param hasFile whether a file that was sent waits to be read */
function toChanges(
  deps: Deps,
  row: ConnectionRow,
  input: SettingsChange,
  hasFile: boolean,
): ConnectionChanges {
  const isActive = input.isActive ?? row.isActive
  const { hasNewUrl, hasNewSource, config } = toConfigChange(deps, row, input.config)
  const categoryReading = chooseReading(row, input.categoryReading, hasNewUrl)
  const reading = input.reading ?? row.reading
  const columnPolicy = { ...row.columnPolicy, roles: input.columnRoles ?? row.columnPolicy.roles }
  const hasNewRoles = !isDeepStrictEqual(columnPolicy, row.columnPolicy)
  const updates = changeUpdates(row.updates, input.updates)
  const hasNewUpdates = !isDeepStrictEqual(updates, row.updates)
  const overlay = changeOverlay(deps.secrets, row, row.overlay, input.overlay)
  const hasNewOverlay = !isDeepStrictEqual(overlay, row.overlay)
  requireCompatible({ config, updates, overlay })
  const mustReadAgain =
    hasNewSource ||
    hasNewRoles ||
    hasNewUpdates ||
    hasNewOverlay ||
    !isDeepStrictEqual([categoryReading, reading], [row.categoryReading, row.reading])
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.type !== undefined && { type: input.type }),
    ...(input.fileFormat !== undefined && { fileFormat: input.fileFormat }),
    ...(input.syncFrequency !== undefined && { syncFrequencyMinutes: input.syncFrequency }),
    ...(input.expectedEveryHours !== undefined && {
      expectedEveryHours: input.expectedEveryHours,
    }),
    ...(input.isActive !== undefined && { isActive }),
    ...(mustReadAgain && { ...WITHOUT_VALIDATORS, ...RELEASED, categoryReading, reading }),
    ...(hasNewRoles && { columnPolicy }),
    ...(hasNewSource && { config }),
    ...(hasNewOverlay && { overlay }),
    ...((hasNewSource || hasNewOverlay) && UNKNOWN_SOURCE),
    ...(hasNewUpdates && { updates }),
    ...(hasNewUrl && { outdatedSha256: null, readFile: null }),
    ...toSchedule(row, input, {
      isActive,
      mustReadAgain,
      hasFile,
      hasUrl: hasAddress({ config }),
      now: deps.clock.now(),
    }),
  }
}

function toConfigChange(deps: Deps, row: ConnectionRow, input: SettingsChange['config']) {
  if (!input) return { hasNewUrl: false, hasNewSource: false, config: row.config }
  const config = toStoredConfig(
    toSourceConfig(deps.secrets, input, {
      owner: sourceOwner(row.supplierId, 'source'),
      known: sourceOf(row),
      fieldPrefix: 'config.',
    }),
  )
  return {
    hasNewUrl: config.url !== row.config.url || config.sealedUrl !== row.config.sealedUrl,
    hasNewSource: !isDeepStrictEqual(config, row.config),
    config,
  }
}

/** A new URL resets the category reading to automatic detection, unless the input gives one. */
function chooseReading(
  row: ConnectionRow,
  reading: CategoryReading | null | undefined,
  hasNewUrl: boolean,
): CategoryReading | null {
  if (reading === undefined) return hasNewUrl ? null : row.categoryReading
  return reading
}

type Circumstances = {
  isActive: boolean
  mustReadAgain: boolean
  hasFile: boolean
  hasUrl: boolean
  now: number
}

function toSchedule(
  row: ConnectionRow,
  input: SettingsChange,
  { isActive, mustReadAgain, hasFile, hasUrl, now }: Circumstances,
): ConnectionChanges {
  if (!isActive) return { ...RELEASED, nextSyncAt: null }
  if (!row.isActive || mustReadAgain) return { nextSyncAt: hasFile || hasUrl ? now : null }
  if (!hasUrl) return {}
  const hasNewPace =
    input.syncFrequency !== undefined && input.syncFrequency !== row.syncFrequencyMinutes
  if (!hasNewPace || row.consecutiveFailures > 0) return {}
  return {
    nextSyncAt: Math.max(
      now,
      (row.lastAttemptAt ?? now) + toSyncIntervalMs(input.syncFrequency ?? 0),
    ),
  }
}
