import type { KeyScope } from '../../../../shared/api-keys'
import type { ApiAddress } from '../../../api/api-routes'

export const SCOPE_LETTERS: Record<string, KeyScope> = {
  R: 'read',
  W: 'write',
  U: 'upload',
  F: 'feed',
  B: 'backup',
}

/**
 * Which API keys reach each call of REST: the letters of the scopes of which one is enough (Read, Write, Upload, Feed,
 * Backup), and which object a key that is limited to one connection or retailer has to be for. Calls that are not
 * here are reached by no key. The product does not use it.
 */
export const keyMatrix: Partial<
  Record<ApiAddress, [scopes: string, about: 'person' | 'connection' | 'retailer' | 'company']>
> = {
  'GET /api/user': ['R', 'person'],
  'GET /api/suppliers': ['R', 'company'],
  'GET /api/suppliers.csv': ['R', 'company'],
  'POST /api/suppliers': ['W', 'company'],
  'PUT /api/suppliers': ['W', 'company'],
  'PATCH /api/suppliers/:id': ['W', 'company'],
  'GET /api/retailers': ['R', 'company'],
  'GET /api/retailers.csv': ['R', 'company'],
  'POST /api/retailers': ['W', 'company'],
  'PATCH /api/retailers/:id': ['W', 'retailer'],
  'PATCH /api/retailers/:id/basic-info': ['W', 'retailer'],
  'PATCH /api/retailers/:id/store-info': ['W', 'retailer'],
  'PATCH /api/retailers/:id/delivery-preferences': ['W', 'retailer'],
  'DELETE /api/retailers/:id': ['W', 'retailer'],
  'GET /api/retailers/:id/latest-file': ['RF', 'retailer'],
  'GET /api/retailers/:id/files/:fileName': ['F', 'retailer'],
  'GET /api/retailers/:id/feed-addresses': ['R', 'retailer'],
  'POST /api/retailers/:id/feed-addresses': ['W', 'retailer'],
  'PATCH /api/retailers/:id/feed-addresses': ['W', 'retailer'],
  'DELETE /api/retailers/:id/feed-addresses': ['W', 'retailer'],
  'GET /api/connections': ['R', 'company'],
  'POST /api/connections': ['W', 'company'],
  'POST /api/connections/preview': ['W', 'company'],
  'POST /api/connections/preview-file': ['W', 'company'],
  'PATCH /api/connections/:id': ['W', 'connection'],
  'POST /api/connections/:id/sync': ['W', 'connection'],
  'POST /api/connections/:id/cancel': ['W', 'connection'],
  'GET /api/connections/:id/runs': ['R', 'connection'],
  'GET /api/connections/:id/files': ['RF', 'connection'],
  'GET /api/connections/:id/files/:fileName': ['F', 'connection'],
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': ['F', 'connection'],
  'PUT /api/connections/:id/file': ['U', 'connection'],
  'GET /api/connections/:id/received-files': ['RU', 'connection'],
  'GET /api/connections/:id/received-files/:fileId': ['RU', 'connection'],
  'GET /api/connections/:id/upload-links': ['R', 'connection'],
  'POST /api/connections/:id/upload-links': ['W', 'connection'],
  'DELETE /api/connections/:id/upload-links': ['W', 'connection'],
  'GET /api/connections/:id/mail-inbox': ['R', 'connection'],
  'POST /api/connections/:id/mail-inbox': ['W', 'connection'],
  'PATCH /api/connections/:id/mail-inbox': ['W', 'connection'],
  'DELETE /api/connections/:id/mail-inbox': ['W', 'connection'],
  'GET /api/connections/:id/mails': ['R', 'connection'],
  'POST /api/connections/:id/mails/:mailId/take': ['W', 'connection'],
  'POST /api/connections/:id/mails/:mailId/discard': ['W', 'connection'],
  'GET /api/admin/cron-jobs': ['R', 'company'],
  'DELETE /api/admin/cron-jobs/:name': ['W', 'company'],
  'POST /api/admin/trigger-backup': ['B', 'company'],
  'GET /api/admin/backup-files': ['B', 'company'],
  'GET /api/admin/backup-files/:fileName': ['B', 'company'],
  'GET /api/admin/audit.csv': ['R', 'company'],
  'GET /api/activity.csv': ['R', 'company'],
}
