import type { KeyScope } from '../../shared/api-keys'
import type { ApiAddress } from './api-routes'

/**
 * What a key that is limited to one connection or retailer reaches: calls about the person it acts for, calls that name
 * a connection or a retailer in `:id`, and, not with such a key, calls about the whole company.
 */
type KeyObject = 'person' | 'connection' | 'retailer' | 'company'

/** The scopes of which a key needs one, and what the call is about. */
export type KeyAccess = { scopes: readonly KeyScope[]; about: KeyObject }

const to = (about: KeyObject, ...scopes: KeyScope[]): KeyAccess => ({ scopes, about })

/**
 * Which routes API keys reach; null for none. A key neither signs in nor reaches people, invitations, keys,
 * sessions, passwords and personal data.
 */
export const keyAccess: Readonly<Record<ApiAddress, KeyAccess | null>> = {
  'GET /api/user': to('person', 'read'),
  'POST /api/login': null,
  'POST /api/register': null,
  'GET /api/auth/google/start': null,
  'GET /api/auth/google/callback': null,
  'POST /api/auth/google': null,
  'POST /api/logout': null,
  'POST /api/admin/reset-password': null,
  'GET /api/sessions': null,
  'DELETE /api/sessions': null,
  'DELETE /api/sessions/:session': null,
  'POST /api/confirmation': null,
  'GET /api/suppliers': to('company', 'read'),
  'GET /api/suppliers.csv': to('company', 'read'),
  'POST /api/suppliers': to('company', 'write'),
  'PUT /api/suppliers': to('company', 'write'),
  'PATCH /api/suppliers/:id': to('company', 'write'),
  'GET /api/retailers': to('company', 'read'),
  'GET /api/retailers.csv': to('company', 'read'),
  'POST /api/retailers': to('company', 'write'),
  'PATCH /api/retailers/:id': to('retailer', 'write'),
  'PATCH /api/retailers/:id/basic-info': to('retailer', 'write'),
  'PATCH /api/retailers/:id/store-info': to('retailer', 'write'),
  'PATCH /api/retailers/:id/delivery-preferences': to('retailer', 'write'),
  'GET /api/retailers/:id/latest-file': to('retailer', 'read', 'feed'),
  'GET /api/retailers/:id/files/:fileName': to('retailer', 'feed'),
  'GET /api/retailers/:id/feed-addresses': to('retailer', 'read'),
  'POST /api/retailers/:id/feed-addresses': to('retailer', 'write'),
  'PATCH /api/retailers/:id/feed-addresses': to('retailer', 'write'),
  'DELETE /api/retailers/:id/feed-addresses': to('retailer', 'write'),
  'GET /api/retailers/:id/sftp-login': to('retailer', 'read'),
  'POST /api/retailers/:id/sftp-login': to('retailer', 'write'),
  'PATCH /api/retailers/:id/sftp-login': to('retailer', 'write'),
  'DELETE /api/retailers/:id/sftp-login': to('retailer', 'write'),
  'DELETE /api/retailers/:id': to('retailer', 'write'),
  'GET /api/users/:userId': null,
  'PATCH /api/users/:userId/reset-password': null,
  'GET /api/connections': to('company', 'read'),
  'POST /api/connections': to('company', 'write'),
  'POST /api/connections/preview': to('company', 'write'),
  'POST /api/connections/preview-file': to('company', 'write'),
  'PATCH /api/connections/:id': to('connection', 'write'),
  'POST /api/connections/:id/sync': to('connection', 'write'),
  'POST /api/connections/:id/cancel': to('connection', 'write'),
  'GET /api/connections/:id/runs': to('connection', 'read'),
  'GET /api/connections/:id/files': to('connection', 'read', 'feed'),
  'GET /api/connections/:id/files/:fileName': to('connection', 'feed'),
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': to('connection', 'feed'),
  'PUT /api/connections/:id/file': to('connection', 'upload'),
  'GET /api/connections/:id/received-files': to('connection', 'read', 'upload'),
  'GET /api/connections/:id/received-files/:fileId': to('connection', 'read', 'upload'),
  'GET /api/connections/:id/upload-links': to('connection', 'read'),
  'POST /api/connections/:id/upload-links': to('connection', 'write'),
  'DELETE /api/connections/:id/upload-links': to('connection', 'write'),
  'GET /api/connections/:id/sftp-login': to('connection', 'read'),
  'POST /api/connections/:id/sftp-login': to('connection', 'write'),
  'PATCH /api/connections/:id/sftp-login': to('connection', 'write'),
  'DELETE /api/connections/:id/sftp-login': to('connection', 'write'),
  'GET /api/connections/:id/mail-inbox': to('connection', 'read'),
  'POST /api/connections/:id/mail-inbox': to('connection', 'write'),
  'PATCH /api/connections/:id/mail-inbox': to('connection', 'write'),
  'DELETE /api/connections/:id/mail-inbox': to('connection', 'write'),
  'GET /api/connections/:id/mails': to('connection', 'read'),
  'POST /api/connections/:id/mails/:mailId/take': to('connection', 'write'),
  'POST /api/connections/:id/mails/:mailId/discard': to('connection', 'write'),
  'GET /api/upload/:token': null,
  'GET /api/admin/cron-jobs': to('company', 'read'),
  'DELETE /api/admin/cron-jobs/:name': to('company', 'write'),
  'POST /api/admin/trigger-backup': to('company', 'backup'),
  'GET /api/admin/backup-files': to('company', 'backup'),
  'GET /api/admin/backup-files/:fileName': to('company', 'backup'),
  'GET /api/admin/audit.csv': to('company', 'read'),
  'GET /api/activity.csv': to('company', 'read'),
  'GET /api/account/data.json': null,
  'GET /api/account/data.csv': null,
  'GET /api/openapi.json': null,
}
