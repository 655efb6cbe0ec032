import { randomUUID } from 'node:crypto'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { PARSE_FAILED } from '../../../../shared/constants'
import { columnPolicySchema, type ColumnRoles } from '../../../../shared/schemas/column-policy'
import type { PreviewSourceInput, SourcePreview } from '../../../../shared/schemas/connection'
import type { ConnectionRow } from '../../../db/schema'
import { type Actor, selfOf } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { FileError, isNotCsv } from '../../../files/file-error'
import type { PreviewTask } from '../../../files/file-readers'
import { isWebText, textInsteadOfTable } from '../../../files/read/dialect/sniff'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import type { UrlSource } from '../../../files/sources/url-source'
import { findVersionReading } from '../versions/versions.queries'
import { loadConnection } from './connections'
import { openSource } from './open-source'
import { changeOverlay, openOverlay, requireCompatible, toJoinTask } from './overlay-settings'
import { unlockSource } from './private-keys'
import { sourceOwner } from './source-address'
import { sourceOf, toSourceConfig } from './source-config'
import { findUpdateBase } from './update-base'
import { changeUpdates } from './update-settings'

const PREVIEW_TIMEOUT_MS = 15_000
const TIMED_OUT: Record<OpenableSource['type'], string> = {
  URL: 'Within 15 seconds, the address did not send enough for a preview, or the file could not be read. A sync has more time.',
  STORED:
    'The file could not be read within 15 seconds. Send it without a preview, or try again later.',
}

/**
 * Returns what a sync would read with these settings: the first 100 records and how they were read.
 * Credentials and reading are resolved as if the settings were saved. The user's next preview cancels
 * this one.
 * @throws DomainError INVALID when the source cannot be read, or not within 15 seconds; CONFLICT
 *   when the user's next preview has cancelled this one; NOT_FOUND for another supplier's
 *   connection
 */
export async function previewSource(
  deps: Deps,
  actor: Actor,
  input: PreviewSourceInput,
): Promise<SourcePreview> {
  const { supplierId, row, reading } = await loadReading(deps, actor, input)
  const known = row ? sourceOf(row) : undefined
  const owner = sourceOwner(supplierId, 'source')
  const stored = { owner, known, fieldPrefix: '' } as const
  const given = await unlockSource(deps, input, { supplierId, fieldPrefix: '' })
  const config = toSourceConfig(deps.secrets, given, stored)
  const second =
    input.overlay &&
    (await unlockSource(deps, input.overlay, { supplierId, fieldPrefix: 'overlay.' }))
  const overlay = changeOverlay(deps.secrets, { supplierId }, row?.overlay ?? null, second)
  requireCompatible({ config, updates: reading.updates, overlay })
  const previewed = {
    source: openSource(deps, { supplierId, config, part: 'source' }),
    reading,
    overlay: overlay && {
      source: openOverlay(deps, { supplierId }, overlay),
      task: { ...toJoinTask(overlay), roles: rolesOf(row, input) },
    },
  }
  return deps.previews.take(selfOf(actor).id, (replaced) =>
    readPreview(deps, actor, previewed, replaced),
  )
}

/** What a preview reads, and how. */
interface Previewed {
  source: OpenableSource
  reading: Awaited<ReturnType<typeof loadReading>>['reading']
  /** What is joined to it: its source is for who fetches it, and not for who reads it. */
  overlay?: { source: UrlSource; task: Omit<NonNullable<PreviewTask['overlay']>, 'file'> } | null
}

/**
 * Reads a preview, for at most 15 seconds.
 * @throws DomainError INVALID when the source cannot be read; the reason of the signal
 */
export async function readPreview(
  deps: Deps,
  { role }: Actor,
  { source, reading, overlay }: Previewed,
  replaced: AbortSignal,
): Promise<SourcePreview> {
  const timeout = AbortSignal.timeout(PREVIEW_TIMEOUT_MS)
  const signal = AbortSignal.any([timeout, replaced])
  const draft = deps.files.createDraft(randomUUID())
  const overlayDraft = deps.files.createDraft(randomUUID())
  const { path: file } = overlayDraft
  try {
    const { updates } = reading
    const options = {
      source: {
        ...source,
        fullName: updates?.fullName ?? null,
        ...(overlay && { overlay: { source: overlay.source, file } }),
      },
      signal,
    }
    // The process that reads gets neither address.
    const task = {
      ...reading,
      draft: draft.path,
      overlay: overlay ? { ...overlay.task, file } : undefined,
    }
    const { preview, mediaType, foundName } = await deps.readers.run('preview', task, options)
    if (isWebText(preview.columns, mediaType)) throw textInsteadOfTable(preview.columns)
    if (foundName === undefined) return preview
    return { ...preview, dialect: { ...preview.dialect, fileName: foundName } }
  } catch (error) {
    if (error instanceof FileError) {
      throw new DomainError(
        'INVALID',
        withFetchAllowAdvice(role, describeFailure(error), deps.config),
        keyToConfirm(error),
      )
    }
    if (timeout.aborted) throw new DomainError('INVALID', TIMED_OUT[source.type])
    throw error
  } finally {
    await Promise.all([draft.discard(), overlayDraft.discard()])
  }
}

/** What a preview is told of how a file is read; `isFull`: whether its sender says that it is a full one. */
export type PreviewChoices = Pick<
  PreviewSourceInput,
  'connectionId' | 'reading' | 'columnRoles' | 'updates'
> & {
  isFull?: boolean | undefined
}

/**
 * How a file is read as if the given settings were saved for a connection, if there is one.
 * @throws DomainError NOT_FOUND for another supplier's connection
 */
export async function loadReading(deps: Deps, actor: Actor, choices: PreviewChoices) {
  const { connectionId, reading } = choices
  const row = connectionId ? await loadConnection(deps.db, actor, connectionId) : undefined
  const published = row && (await findVersionReading(deps.db, row.publishedVersionId))
  return {
    row,
    supplierId: row ? row.supplierId : actor.id,
    reading: {
      reading: reading ?? row?.reading ?? AUTOMATIC_READING,
      previousHeader: published?.header,
      previousOrigin: published?.origin,
      updates: await loadUpdates(deps, row, choices),
    },
  }
}

/** How it is read if it may be an update. */
async function loadUpdates(deps: Deps, row: ConnectionRow | undefined, choices: PreviewChoices) {
  const { updates, isFull } = choices
  const settings = changeUpdates(row?.updates ?? null, updates)
  if (!settings) return undefined
  const { removal, fullName, nextIsFull } = settings
  const connection = row ?? NOTHING_PUBLISHED
  const roles = rolesOf(row, choices)
  const columnPolicy = { ...connection.columnPolicy, roles }
  return {
    removal,
    fullName,
    isFull: isFull ?? (nextIsFull ? true : null),
    base: await findUpdateBase(deps, { ...connection, columnPolicy }, settings),
    knownSha256: null,
    roles,
  }
}

const rolesOf = (row: ConnectionRow | undefined, { columnRoles }: PreviewChoices): ColumnRoles =>
  columnRoles ?? row?.columnPolicy.roles ?? AUTOMATIC_ROLES

const NOTHING_PUBLISHED = {
  publishedVersionId: null,
  heldVersionId: null,
  columnPolicy: columnPolicySchema.parse({}),
}

/** What a caller needs who wants to confirm the key that a server has shown. */
function keyToConfirm({ code, hostKey, address }: FileError) {
  if (hostKey === undefined) return {}
  const reason = code === 'host-key-changed' ? 'host_key_changed' : 'host_key_unconfirmed'
  const part = address === 'second' ? 'overlay' : 'config'
  return { hostKey, reason, field: `${part}.transfer.hostKeys` } as const
}

/** Marks a file that is not CSV, in contrast to one that could not be fetched. */
function describeFailure(error: FileError): string {
  return isNotCsv(error) ? `${PARSE_FAILED}. ${error.message}` : error.message
}
