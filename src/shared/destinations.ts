import { isFileServerAddress } from './file-server-address'
import { isS3Address } from './s3-address'
import { protocolOf } from './source-schemes'

/** How files are sent to a destination. */
export const DESTINATION_KINDS = ['sftp', 'ftp', 's3', 'web', 'mail'] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]

export const WEB_METHODS = ['PUT', 'POST'] as const
export type WebMethod = (typeof WEB_METHODS)[number]

/** What became of a file on its way; `skipped` when a newer one took its place. */
export const DISPATCH_STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const
export type DispatchStatus = (typeof DISPATCH_STATUSES)[number]

/** At which a destination gets its file, a day. */
export const MAX_TIMES = 24
export const MAX_RECIPIENTS = 10
/** A larger file is not attached to a mail, which then has a link to it. */
export const MAX_ATTACHED_BYTES = 10 * 1024 * 1024
export const FILE_LINK_DAYS = 7

export const DEFAULT_FILE_NAME = 'inventory.csv'
/** What a name may have in braces, which each file fills in. */
export const NAME_PLACES = ['supplier', 'time', 'version'] as const

/** Whether an address is of a folder that files are put into. */
export const hasFolders = (address: string): boolean =>
  isFileServerAddress(address) || isS3Address(address)

/** Its last part is a folder too where it does not say so. */
export const toFolderAddress = (address: string): string =>
  address.endsWith('/') ? address : `${address}/`

/** How files are sent to an address; undefined for one to which nothing can be sent. */
export function destinationKindOf(address: string): DestinationKind | undefined {
  switch (protocolOf(address)) {
    case 'sftp:':
      return 'sftp'
    case 'ftp:':
    case 'ftps:':
      return 'ftp'
    case 's3:':
      return 's3'
    case 'http:':
    case 'https:':
      return 'web'
    case undefined:
      return undefined
  }
}
