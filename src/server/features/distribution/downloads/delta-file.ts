import { isDeepStrictEqual } from 'node:util'

import type { VariantSpec } from '../../../db/stored-json'
import { toViewKey } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { formOf, WHOLE_FILE } from '../../../domain/variant-spec'
import {
  listPublishedVersions,
  type VersionRecord,
} from '../../catalogue/versions/versions.queries'
import { listStoredViews } from '../variants/variants.queries'
import { listContents } from './downloads.queries'
import { type ReadyContent, findOrRequestContent } from './retailer-content'
import { notReady } from './retailer-files'

/** More than are kept. */
const MAX_VERSIONS = 200
const VERSION_CHARACTERS = 22

/** What a retailer gets of some version: as bytes, and by the settings that decide what is in it. */
type Shown = { sha256: string; view: VariantSpec | null }

/**
 * Names what a retailer gets, and the settings with which it was written: the same as long as neither
 * changes, whatever changes in the supplier's file. Nobody can make a name up: what has been removed since is
 * only told of files that the retailer has had.
 * @param view null for the whole version
 */
export function toFeedVersion(
  { secrets }: Deps,
  retailerId: number,
  { sha256, view }: Shown,
): string {
  return sign(secrets, `${retailerId} ${sha256} ${toViewKey(view ?? WHOLE_FILE)}`, 'feed contents')
}

/** As versions were named before, one by one; accepted from those who have read them. */
function toFormerName(
  { secrets }: Deps,
  retailerId: number,
  { versionId, view }: { versionId: number; view: VariantSpec },
): string {
  return sign(secrets, `${retailerId} ${versionId} ${toViewKey(view)}`, 'feed versions')
}

function sign(secrets: Deps['secrets'], text: string, purpose: string): string {
  const { hmac } = secrets.sign(text, purpose)
  return Buffer.from(hmac, 'hex').toString('base64url').slice(0, VERSION_CHARACTERS)
}

type Asked = {
  retailerId: number
  version: VersionRecord
  view: VariantSpec | null
  /** The whole file. */
  file: ReadyContent
  since: string
}

/**
 * Returns what differs from the file that a reader has; the whole file when that one is unknown, or was
 * written with other settings than categories.
 * @throws DomainError UNAVAILABLE while the rows are being selected
 */
export async function findOrRequestDelta(deps: Deps, asked: Asked): Promise<ReadyContent> {
  const { retailerId, version, view, file } = asked
  const shown = view ?? WHOLE_FILE
  const known = formOf(shown) === 'csv' ? await findSince(deps, asked, shown) : undefined
  if (!known) return file
  const content = await findOrRequestContent(deps, { ...shown, since: known }, version, retailerId)
  if (content.status === 'failed') return file
  if (content.status !== 'ready') throw notReady(content)
  return content
}

type Since = NonNullable<VariantSpec['since']>

/** Finds a version of which a retailer has got this, and the categories with which it was read. */
async function findSince(
  deps: Deps,
  { retailerId, version, file, since }: Asked,
  view: VariantSpec,
): Promise<Since | undefined> {
  if (since.length !== VERSION_CHARACTERS) return undefined
  const isNamed = (shown: Shown) => toFeedVersion(deps, retailerId, shown) === since
  const toSince = (versionId: number, { categories }: VariantSpec): Since => ({
    versionId,
    categories,
  })
  if (isNamed({ sha256: file.sha256, view })) return toSince(version.id, view)
  const everything = { ...view, categories: null }
  const views = isDeepStrictEqual(view, everything) ? [view] : [view, everything]
  for (const content of await listContents(deps.db, retailerId)) {
    const shown = views.find((candidate) => toViewKey(candidate) === content.contentViewKey)
    const isFound = shown && isNamed({ sha256: content.contentSha256, view: shown })
    if (isFound) return toSince(content.versionId, shown)
  }
  const stored = (await listStoredViews(deps.db, version.connectionId)).filter((variant) =>
    isDeepStrictEqual({ ...variant.view, categories: null }, everything),
  )
  const found = stored.find(isNamed)
  if (found) return toSince(found.versionId, found.view)
  const versions = await listPublishedVersions(deps.db, version.connectionId, MAX_VERSIONS)
  const whole = views.flatMap((shown) => versions.map(({ id }) => ({ versionId: id, view: shown })))
  const former = [...whole, ...stored].find(
    (shown) => toFormerName(deps, retailerId, shown) === since,
  )
  return former && toSince(former.versionId, former.view)
}
