import type { Version } from '../../../shared/schemas/publishing'

/** Where a stored file of a connection is downloaded. */
export function fileAddress(connectionId: number, { fileName }: Pick<Version, 'fileName'>): string {
  return `/api/connections/${connectionId}/files/${encodeURIComponent(fileName)}`
}
