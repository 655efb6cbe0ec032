import { isDeepStrictEqual } from 'node:util'

import type { FileView } from '../../db/stored-json'
import { toViewKey } from '../../db/stored-json'
import type { Deps } from '../../domain/deps'
import { WHOLE_VIEW } from '../../domain/file-view'
import { listStoredViews } from '../variants/variants.queries'
import { listPublishedVersions, type VersionRecord } from '../versions/versions.queries'
import { type ReadyContent, resolveContent } from './retailer-content'
import { notReady } from './retailer-files'

/** More than are kept. */
const MAX_VERSIONS = 200
const VERSION_CHARACTERS = 22

const PURPOSE = 'feed versions'

/**
 * Names a version, and the settings with which a retailer reads it. Nobody can make one up: what has been
 * removed since is only told of files that the retailer has had.
 * @param view null for the whole version
 */
export function toFeedVersion(
  { secrets }: Deps,
  retailerId: number,
  { versionId, view }: { versionId: number; view: FileView | null },
): string {
  const key = toViewKey(view ?? WHOLE_VIEW)
  const { hmac } = secrets.sign(`${retailerId} ${versionId} ${key}`, PURPOSE)
  return Buffer.from(hmac, 'hex').toString('base64url').slice(0, VERSION_CHARACTERS)
}

type Asked = {
  retailerId: number
  version: VersionRecord
  view: FileView | null
  /** The whole file. */
  file: ReadyContent
  since: string
}

/**
 * Returns what differs from the file that a reader has; the whole file when that one is unknown, or was
 * written with other settings than categories.
 * @throws DomainError UNAVAILABLE while the rows are being selected
 */
export async function resolveDelta(
  deps: Deps,
  { retailerId, version, view, file, since }: Asked,
): Promise<ReadyContent> {
  const shown = view ?? WHOLE_VIEW
  const known = shown.isNdjson
    ? undefined
    : await findSince(deps, version, shown, { retailerId, since })
  if (!known) return file
  const content = await resolveContent(deps, { ...shown, since: known }, version)
  if (content.status === 'failed') return file
  if (content.status !== 'ready') throw notReady(content.status)
  return content
}

/** Finds the version, and the categories with which it was read. */
async function findSince(
  deps: Deps,
  { connectionId }: VersionRecord,
  view: FileView,
  { retailerId, since }: Pick<Asked, 'retailerId' | 'since'>,
): Promise<NonNullable<FileView['since']> | undefined> {
  if (since.length !== VERSION_CHARACTERS) return undefined
  const versions = await listPublishedVersions(deps.db, connectionId, MAX_VERSIONS)
  const everything = { ...view, categories: null }
  const isAsked = (known: { versionId: number; view: FileView }) =>
    toFeedVersion(deps, retailerId, known) === since
  for (const shown of [view, everything]) {
    const found = versions.find(({ id }) => isAsked({ versionId: id, view: shown }))
    if (found) return { versionId: found.id, categories: shown.categories }
  }
  const stored = await listStoredViews(deps.db, connectionId)
  const found = stored.find(
    (variant) =>
      isDeepStrictEqual({ ...variant.view, categories: null }, everything) && isAsked(variant),
  )
  return found && { versionId: found.versionId, categories: found.view.categories }
}
