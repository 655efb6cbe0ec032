import { z } from 'zod'

import { MAX_EXPORTED_ROWS } from '../../shared/constants'
import { activityExportQuery, auditExportQuery } from '../../shared/schemas/audit'
import { changesExportQuery } from '../../shared/schemas/comparison'
import { connectionSchema, sourcePreviewSchema } from '../../shared/schemas/connection'
import { dispatchesExportQuery } from '../../shared/schemas/destination'
import { matchingCountsSchema } from '../../shared/schemas/merged-file'
import { retailerSchema, retailersExportQuery } from '../../shared/schemas/retailer'
import { suppliersExportQuery } from '../../shared/schemas/supplier'
import { userSchema } from '../../shared/schemas/user'
import { defineRoutes, type ApiRoute } from './define-routes'
import { fileFormatQuery } from './file-format'
import { networkRoutes } from './network-routes'
import { previewFileQuery, upload } from './upload-routes'

const FORMULA_NOTE = 'Texts that spreadsheets would run as formulas begin with an apostrophe.'
const EXPORT_NOTES = `At most ${MAX_EXPORTED_ROWS} rows. ${FORMULA_NOTE}`

/** Every route below /api, and what handles it. */
export const apiRoutes = defineRoutes({
  'GET /api/user': { procedure: 'session.current', summary: 'Get the signed-in user' },
  'POST /api/login': {
    procedure: 'session.login',
    summary: 'Sign in with a username and a password',
    notes:
      'The response sets the session cookie, which the other calls send. With a second factor it is 401 with second_factor_required, until code is sent too.',
  },
  'POST /api/register': {
    procedure: 'session.register',
    status: 201,
    summary: 'Register a user',
    notes:
      'Without a session a supplier signs up, and is signed in. Suppliers and administrators register retailers. A supplier must have companyName and contactEmail.',
  },
  'GET /api/auth/google/start': {
    noun: 'session',
    sends: 'text/html',
    status: 302,
    query: z.object({
      attempt: z.string().max(100).optional(),
      confirms: z.string().optional(),
    }),
    summary: 'Begin a sign-in with Google, in a browser window',
  },
  'GET /api/auth/google/callback': {
    noun: 'session',
    sends: 'text/html',
    query: z.object({ state: z.string(), code: z.string().optional() }),
    summary: 'Return from Google, in the same browser window',
  },
  'POST /api/auth/google': {
    procedure: 'session.google',
    summary: 'Finish a sign-in with Google',
    notes: 'Takes the session in which the sign-in was begun. Only uid is compared.',
  },
  'POST /api/logout': { procedure: 'session.logout', summary: 'Sign out' },
  'POST /api/admin/reset-password': {
    procedure: 'session.changePassword',
    summary: 'Change your own password',
    notes: 'All your other sessions end.',
  },
  'GET /api/sessions': {
    procedure: 'sessions.list',
    summary: 'List where you are signed in',
  },
  'DELETE /api/sessions': {
    procedure: 'sessions.endOthers',
    summary: 'Sign out everywhere else',
  },
  'DELETE /api/sessions/:session': {
    procedure: 'sessions.end',
    summary: 'End one of your sessions',
  },
  'POST /api/confirmation': {
    procedure: 'confirmation.byPassword',
    summary: 'Confirm by your password that it is you',
    notes: 'For ten minutes in this session, as signing in does.',
  },
  'GET /api/suppliers': { noun: 'suppliers', rows: userSchema, summary: 'List all suppliers' },
  'GET /api/suppliers.csv': {
    noun: 'suppliers',
    sends: 'text/csv',
    query: suppliersExportQuery,
    summary: 'Export the list of suppliers',
    notes: EXPORT_NOTES,
  },
  'POST /api/suppliers': {
    procedure: 'suppliers.create',
    status: 201,
    summary: 'Add a supplier',
  },
  'PUT /api/suppliers': {
    procedure: 'suppliers.seed',
    summary: 'Create or update suppliers, with their connections and retailers',
    notes:
      'All of them, or none: with problems, nothing was written. Found by username; passwords are set on new accounts only.',
  },
  'PATCH /api/suppliers/:id': {
    procedure: 'suppliers.update',
    summary: 'Change a supplier, or deactivate it',
    notes: 'Deactivating a supplier ends its sessions.',
  },
  'GET /api/retailers.csv': {
    noun: 'retailers',
    sends: 'text/csv',
    query: retailersExportQuery,
    summary: 'Export the list of retailers',
    notes: EXPORT_NOTES,
  },
  'GET /api/retailers': {
    noun: 'retailers',
    rows: retailerSchema,
    summary: 'List your retailers',
    notes: 'An administrator gets those of all suppliers, a retailer itself alone.',
  },
  'POST /api/retailers': {
    procedure: 'retailers.create',
    status: 201,
    summary: 'Add a retailer for a registered login',
    notes: 'An administrator names the supplier in supplierId.',
  },
  'PATCH /api/retailers/:id': {
    procedure: 'retailers.update',
    summary: 'Change what a retailer sees and how often',
  },
  'PATCH /api/retailers/:id/basic-info': {
    procedure: 'retailers.updateBasicInfo',
    summary: 'Change the store of a retailer, as its supplier',
  },
  'PATCH /api/retailers/:id/store-info': {
    procedure: 'retailers.updateStoreInfo',
    summary: 'Change your own store, as a retailer',
  },
  'PATCH /api/retailers/:id/delivery-preferences': {
    procedure: 'retailers.updateDeliveryPreferences',
    summary: 'Choose how you get your file, as a retailer',
  },
  'GET /api/retailers/:id/items/:key/history': {
    procedure: 'itemHistory.ofRetailer',
    summary: 'Get what an item of a retailer’s file was over time, by its SKU',
    notes:
      'Only of items that the retailer may see now, and of what it may see of them. The whole SKU as it stands in the file, encoded for an address.',
  },
  ...networkRoutes,
  'GET /api/retailers/:id/latest-file': {
    procedure: 'retailers.latestFile',
    summary: 'Get the name and address of a retailer’s newest file',
    notes: 'Where there is no file yet, the response is a message that says why.',
  },
  'GET /api/retailers/:id/files/:fileName': {
    noun: 'retailers',
    sends: 'text/csv',
    alsoSends: [
      'text/tab-separated-values',
      'application/x-ndjson',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.apache.parquet',
    ],
    validators: 'tag',
    query: fileFormatQuery,
    summary: 'Download the rows that a retailer may see',
  },
  'GET /api/retailers/:id/feed-addresses': {
    procedure: 'feedAddresses.list',
    summary: 'List the addresses from which a shop reads its file without signing in',
  },
  'POST /api/retailers/:id/feed-addresses': {
    procedure: 'feedAddresses.create',
    status: 201,
    summary: 'Create the address from which a shop reads its file',
    notes:
      'The path is returned once. The address before it works for another 24 hours. Anyone who knows the address can read the file.',
  },
  'PATCH /api/retailers/:id/feed-addresses': {
    procedure: 'feedAddresses.protect',
    summary: 'Change what protects the address from which a shop reads its file',
    notes: 'What is left out stays. A new password is returned once, and takes effect at once.',
  },
  'DELETE /api/retailers/:id/feed-addresses': {
    procedure: 'feedAddresses.revoke',
    summary: 'End all addresses from which a shop reads its file',
  },
  'GET /api/retailers/:id/sftp-login': {
    procedure: 'sftpLogins.ofRetailer',
    summary: 'Get how a retailer’s file is fetched by SFTP, and with which login',
  },
  'POST /api/retailers/:id/sftp-login': {
    procedure: 'sftpLogins.createOfRetailer',
    status: 201,
    summary: 'Make the login by which a retailer’s file is fetched by SFTP',
    notes: 'Without keys it gets a password, which is returned once.',
  },
  'PATCH /api/retailers/:id/sftp-login': {
    procedure: 'sftpLogins.changeOfRetailer',
    summary: 'Change what opens that login',
    notes: 'What is left out stays. A new password is returned once, and takes effect at once.',
  },
  'DELETE /api/retailers/:id/sftp-login': {
    procedure: 'sftpLogins.revokeOfRetailer',
    summary: 'End that login',
  },
  'GET /api/retailers/:id/destinations': {
    procedure: 'destinations.list',
    summary: 'List where a retailer has its file sent to',
  },
  'POST /api/retailers/:id/destinations': {
    procedure: 'destinations.create',
    status: 201,
    summary: 'Add a destination',
    notes:
      'The file is sent at once, or at the first of its times. Secrets are stored encrypted and never returned.',
  },
  'POST /api/retailers/:id/destinations/trial': {
    procedure: 'destinations.testNew',
    summary: 'Try a destination before it is saved',
  },
  'PATCH /api/retailers/:id/destinations/:destinationId': {
    procedure: 'destinations.update',
    summary: 'Change a destination, which ends a pause',
    notes: 'What is left out stays; a secret is dropped when the server changes.',
  },
  'DELETE /api/retailers/:id/destinations/:destinationId': {
    procedure: 'destinations.delete',
    summary: 'Delete a destination',
  },
  'POST /api/retailers/:id/destinations/:destinationId/trial': {
    procedure: 'destinations.test',
    summary: 'Send a small file, which is taken away again where that is possible',
  },
  'POST /api/retailers/:id/destinations/:destinationId/dispatches': {
    procedure: 'destinations.sendNow',
    status: 202,
    summary: 'Send the newest file now, which ends a pause',
  },
  'GET /api/retailers/:id/dispatches.csv': {
    noun: 'destinations',
    sends: 'text/csv',
    query: dispatchesExportQuery,
    summary: 'Export what was sent of a retailer’s files, newest first',
    notes: EXPORT_NOTES,
  },
  'GET /api/merged-file': {
    procedure: 'mergedFile.get',
    summary: 'Get your merged file, and the suppliers that it can be made of',
  },
  'PUT /api/merged-file': {
    procedure: 'mergedFile.save',
    summary: 'Choose what your merged file is made of, and how',
    notes: 'It is made anew when the file of a supplier changes, at most once a minute.',
  },
  'DELETE /api/merged-file': {
    procedure: 'mergedFile.remove',
    summary: 'End your merged file with its addresses',
  },
  'POST /api/merged-file/addresses': {
    procedure: 'mergedFile.createAddress',
    status: 201,
    summary: 'Create an address from which your shop reads your merged file',
    notes: 'It replaces those before within a day, or at once.',
  },
  'DELETE /api/merged-file/addresses': {
    procedure: 'mergedFile.revokeAddresses',
    summary: 'End all addresses of your merged file at once',
  },
  'PUT /api/merged-file/matching': {
    procedure: 'mergedFile.saveMatching',
    summary: 'Replace your matching file',
    notes: 'It has the columns prefix, supplier_sku, gtin and sku. An empty text removes it.',
  },
  'GET /api/merged-file/download': {
    noun: 'mergedFile',
    sends: 'text/csv',
    query: fileFormatQuery,
    summary: 'Download your merged file, as your shop reads it',
    notes:
      'A form that is asked for the first time is made then: 503 with Retry-After until it is there; to HEAD with Prefer: respond-async, 202.',
  },
  'GET /api/merged-file/unmatched.csv': {
    noun: 'mergedFile',
    sends: 'text/csv',
    summary: 'Download the items that matched nothing, as a matching file to be filled in',
  },
  'GET /api/merged-file/matching.csv': {
    noun: 'mergedFile',
    sends: 'text/csv',
    summary: 'Download your matching file that is in use',
  },
  'PUT /api/merged-file/matching-file': {
    noun: 'mergedFile',
    takes: 'file',
    answers: matchingCountsSchema,
    query: z.object({}),
    summary: 'Replace your matching file by a file that you send',
    notes:
      'The body is the file itself, a table of any kind that is read, of 16 MB at most. It has the columns prefix, supplier_sku, gtin and sku.',
  },
  'GET /api/merged-file/destinations': {
    procedure: 'mergedDestinations.list',
    summary: 'List where your merged file is sent to',
  },
  'POST /api/merged-file/destinations': {
    procedure: 'mergedDestinations.create',
    status: 201,
    summary: 'Add a destination of your merged file',
    notes: 'As one of a retailer’s file.',
  },
  'POST /api/merged-file/destinations/trial': {
    procedure: 'mergedDestinations.testNew',
    summary: 'Try a destination of your merged file before it is saved',
  },
  'PATCH /api/merged-file/destinations/:destinationId': {
    procedure: 'mergedDestinations.update',
    summary: 'Change a destination of your merged file, which ends a pause',
    notes: 'What is left out stays; a secret is dropped when the server changes.',
  },
  'DELETE /api/merged-file/destinations/:destinationId': {
    procedure: 'mergedDestinations.delete',
    summary: 'Delete a destination of your merged file',
  },
  'POST /api/merged-file/destinations/:destinationId/trial': {
    procedure: 'mergedDestinations.test',
    summary: 'Send a small file to a destination of your merged file',
  },
  'POST /api/merged-file/destinations/:destinationId/dispatches': {
    procedure: 'mergedDestinations.sendNow',
    status: 202,
    summary: 'Send the newest merged file now, which ends a pause',
  },
  'GET /api/merged-file/dispatches.csv': {
    noun: 'mergedDestinations',
    sends: 'text/csv',
    query: dispatchesExportQuery,
    summary: 'Export what was sent of your merged file, newest first',
    notes: EXPORT_NOTES,
  },
  'PATCH /api/merged-file/time-zone': {
    procedure: 'mergedDestinations.changeTimeZone',
    summary: 'Change by which clock times of day are counted for your merged file',
  },
  'PATCH /api/retailers/:id/time-zone': {
    procedure: 'destinations.changeTimeZone',
    summary: 'Change by which clock a retailer counts times of day',
  },
  'DELETE /api/retailers/:id': { procedure: 'retailers.delete', summary: 'Delete a retailer' },
  'GET /api/users/:userId': { procedure: 'users.username', summary: 'Get the username of a user' },
  'PATCH /api/users/:userId/reset-password': {
    procedure: 'users.resetPassword',
    summary: 'Set a new password for somebody else',
    notes: 'All sessions of that user end.',
  },
  'GET /api/connections': {
    noun: 'connections',
    rows: connectionSchema,
    summary: 'List your connections',
    notes: 'An administrator gets those of all suppliers.',
  },
  'POST /api/connections': {
    procedure: 'connections.create',
    status: 201,
    summary: 'Connect an inventory file',
    notes: 'Each supplier has one connection. An administrator names the supplier in supplierId.',
  },
  'POST /api/connections/preview': {
    procedure: 'connections.previewSource',
    summary: 'Read the first rows of a file, without storing anything',
  },
  'POST /api/connections/preview-file': {
    noun: 'connections',
    takes: 'file',
    answers: sourcePreviewSchema,
    query: previewFileQuery,
    summary: 'Read the first rows of a file that you send, without storing anything',
    notes: 'The body is the file itself, whatever its Content-Type, and not in a form.',
  },
  'PATCH /api/connections/:id': {
    procedure: 'connections.update',
    summary: 'Change a connection, or pause it',
  },
  'POST /api/connections/:id/sync': {
    procedure: 'connections.sync',
    status: 202,
    summary: 'Start a sync now',
  },
  'POST /api/connections/:id/cancel': {
    procedure: 'connections.cancelSync',
    status: 202,
    summary: 'Cancel the sync that is running',
  },
  'GET /api/connections/:id/runs': {
    procedure: 'connections.runs',
    summary: 'List the last syncs of a connection',
  },
  'GET /api/connections/:id/items/:key/history': {
    procedure: 'itemHistory.ofConnection',
    summary: 'Get what an item of a connection was over time, by its SKU',
    notes:
      'The whole SKU as it stands in the file, encoded for an address. 404 for an item that the file never had.',
  },
  'GET /api/connections/:id/files': {
    procedure: 'connections.files',
    summary: 'List the published files of a connection',
  },
  'GET /api/connections/:id/files/:fileName': {
    noun: 'connections',
    sends: 'text/csv',
    validators: 'tag',
    summary: 'Download a published file, with all rows',
  },
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': {
    noun: 'differences',
    sends: 'text/csv',
    query: changesExportQuery,
    summary: 'Download what differs between two files, by their SKUs',
    notes:
      'One line for each item that was added, removed or changed, with the cells that differ before and after; `kind` and `q`, a part of the SKU, choose among them. Texts that spreadsheets would run as formulas begin with an apostrophe.',
  },
  'PUT /api/connections/:id/file': {
    ...upload,
    summary: 'Send a file to a connection',
    notes:
      'The newest file counts: one that waits to be read is skipped, unless the connection takes files that have only what has changed; these are merged in their order. The body is the file itself, whatever its Content-Type, and not in a form. With Content-Digest or Digest, its SHA-256 is compared. With Prefer: wait=30, at most 50 seconds, the answer is 200 with what became of the file once it has been read; otherwise 202, and Location says where to ask. Two files can be sent to a connection at a time.',
  },
  'GET /api/connections/:id/received-files': {
    procedure: 'receivedFiles.list',
    summary: 'List the last files that were sent to a connection, and what became of them',
  },
  'GET /api/connections/:id/received-files/:fileId': {
    procedure: 'receivedFiles.get',
    summary: 'Get what became of a file that was sent',
  },
  'GET /api/connections/:id/upload-links': {
    procedure: 'uploadLinks.list',
    summary: 'List the links by which files can be sent without signing in',
  },
  'POST /api/connections/:id/upload-links': {
    procedure: 'uploadLinks.create',
    status: 201,
    summary: 'Create the link by which files can be sent without signing in',
    notes:
      'The path is returned once. The link before it works for another 24 hours. Anyone who knows the link can send files, and sees what became of the last ten.',
  },
  'DELETE /api/connections/:id/upload-links': {
    procedure: 'uploadLinks.revoke',
    summary: 'End all links by which files can be sent',
  },
  'GET /api/connections/:id/sftp-login': {
    procedure: 'sftpLogins.ofConnection',
    summary: 'Get how files are put by SFTP, and with which login',
  },
  'POST /api/connections/:id/sftp-login': {
    procedure: 'sftpLogins.createOfConnection',
    status: 201,
    summary: 'Make the login by which files are put by SFTP',
    notes: 'Without keys it gets a password, which is returned once.',
  },
  'PATCH /api/connections/:id/sftp-login': {
    procedure: 'sftpLogins.changeOfConnection',
    summary: 'Change what opens that login',
    notes: 'What is left out stays. A new password is returned once, and takes effect at once.',
  },
  'DELETE /api/connections/:id/sftp-login': {
    procedure: 'sftpLogins.revokeOfConnection',
    summary: 'End that login',
  },
  'GET /api/connections/:id/mail-inbox': {
    procedure: 'mailInboxes.get',
    summary: 'Get the address to which files are sent by mail, and whose mails are taken',
  },
  'POST /api/connections/:id/mail-inbox': {
    procedure: 'mailInboxes.create',
    status: 201,
    summary: 'Create that address, in place of the one before',
    notes: 'The address before ends at once.',
  },
  'PATCH /api/connections/:id/mail-inbox': {
    procedure: 'mailInboxes.allowSenders',
    summary: 'Set whose mails are taken without asking',
    notes: 'Addresses, or *@ and a domain. Mails of others wait until somebody decides.',
  },
  'DELETE /api/connections/:id/mail-inbox': {
    procedure: 'mailInboxes.revoke',
    summary: 'End that address at once',
  },
  'GET /api/connections/:id/mails': {
    procedure: 'mails.list',
    summary: 'List the last mails, and what became of them',
    notes: 'Those that wait come first.',
  },
  'POST /api/connections/:id/mails/:mailId/take': {
    procedure: 'mails.take',
    summary: 'Take the file of a mail that waits',
  },
  'POST /api/connections/:id/mails/:mailId/discard': {
    procedure: 'mails.discard',
    summary: 'Discard a mail that waits',
  },
  'GET /api/upload/:token': {
    procedure: 'uploadLinks.open',
    summary: 'Get what became of the files that were sent, by an upload link',
  },
  'GET /api/admin/cron-jobs': { procedure: 'cronJobs.list', summary: 'List the background jobs' },
  'DELETE /api/admin/cron-jobs/:name': {
    procedure: 'cronJobs.delete',
    summary: 'Delete a background job',
  },
  'POST /api/admin/trigger-backup': {
    procedure: 'cronJobs.triggerBackup',
    status: 202,
    summary: 'Start a backup now',
  },
  'GET /api/admin/backup-files': { procedure: 'backups.list', summary: 'List the backups' },
  'POST /api/admin/backup-files/:fileName/test': {
    procedure: 'backups.test',
    status: 202,
    summary: 'Restore a backup into a scratch folder and compare it',
  },
  'GET /api/admin/backup-files/:fileName': {
    noun: 'backups',
    sends: 'application/x-tar',
    summary: 'Download a backup',
  },
  'GET /api/admin/audit.csv': {
    noun: 'audit',
    sends: 'text/csv',
    query: auditExportQuery,
    summary: 'Export the audit log, newest first',
    notes: FORMULA_NOTE,
  },
  'GET /api/activity.csv': {
    noun: 'audit',
    sends: 'text/csv',
    query: activityExportQuery,
    summary: 'Export your part of the audit log, newest first',
    notes: FORMULA_NOTE,
  },
  'GET /api/account/data.json': {
    noun: 'personalData',
    sends: 'application/json',
    summary: 'Download what is stored about you',
  },
  'GET /api/account/data.csv': {
    noun: 'personalData',
    sends: 'text/csv',
    summary: 'Download what is stored about you, a line for each value',
    notes: FORMULA_NOTE,
  },
  'GET /api/openapi.json': {
    noun: 'app',
    sends: 'application/json',
    summary: 'Get this description, in OpenAPI 3.1',
  },
})

export type ApiAddress = keyof typeof apiRoutes

/** The addresses of routes of one kind. */
export type AddressOf<Kind extends ApiRoute> = {
  [Path in ApiAddress]: (typeof apiRoutes)[Path] extends Kind ? Path : never
}[ApiAddress]
