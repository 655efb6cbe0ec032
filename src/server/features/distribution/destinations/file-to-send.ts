import type { ShopFormat } from '../../../../shared/schemas/shop-format'
import type { Owned } from '../../../db/queries-kit/owned'
import type { Deps } from '../../../domain/deps'
import { toVariantSpec } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import type { FileForm } from '../../catalogue/versions/connection-files'
import type { VersionRecord } from '../../catalogue/versions/versions.queries'
import { toFileForm } from '../downloads/file-form'
import { findAndRecordLatestFile } from '../downloads/latest-file'
import { findOrRequestContent } from '../downloads/retailer-content'
import { findMergedToSend } from '../merged-files/merged-to-send'
import type { RetailerRecord } from '../retailers/retailers.queries'
import type { SentFile } from './sent-file'

/** What a destination would get now. */
export type FileToSend = {
  status: 'ready'
  sha256: string
  sizeBytes: number
  rowCount: number
  form: FileForm
  version: Pick<VersionRecord, 'id' | 'fileName'>
  /** When it may be another one without anything happening. */
  until: number
}

/** A shop that reads its file. */
const SHOP = { role: 'RETAILER' } as const

type Found = FileToSend | { status: 'none' } | { status: 'processing' } | { status: 'failed' }

/**
 * Finds the file that the shop would read now.
 * @param profile the form in which the destination gets it; null: as the shop
 */
export function findFileToSend(
  deps: Deps,
  { retailer, merged }: SentFile,
  profile: ShopFormat | null,
): Promise<Found> {
  if (retailer) return findFileOfRetailer(deps, retailer, profile)
  return merged ? findMergedToSend(deps, merged, profile) : Promise.resolve({ status: 'none' })
}

/** Moves the retailer to the version as a read does. */
async function findFileOfRetailer(
  deps: Deps,
  retailer: Owned<RetailerRecord>,
  profile: ShopFormat | null,
): Promise<Found> {
  const file = await findAndRecordLatestFile(deps, SHOP, retailer)
  if (!file) return { status: 'none' }
  // The file of the version before would be followed by the next one at once.
  if (file.newerFile?.reason === 'processing') return { status: 'processing' }
  const { version, until } = file
  if (!profile) {
    if (file.status !== 'ready') return { status: file.status }
    const { status, sha256, sizeBytes, rowCount, form } = file
    return { status, sha256, sizeBytes, rowCount, form, version, until }
  }
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  if (!connection) return { status: 'none' }
  const view = toVariantSpec({ ...retailer, profile, columnPolicy: connection.columnPolicy })
  const content = await findOrRequestContent(deps, view, version, retailer.id)
  if (content.status !== 'ready') return { status: content.status }
  const { status, sha256, sizeBytes, rowCount } = content
  return { status, sha256, sizeBytes, rowCount, form: toFileForm(view), version, until }
}
