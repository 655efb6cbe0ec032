import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges, type RecordedChange } from './record-changes'

const RECORDED: RecordedChange[] = [
  {
    table: 'feedAddresses',
    operations: ['update', 'delete'],
    columns: ['expiresAt'],
    word: 'address',
    key: 'id',
  },
  {
    table: 'downloads',
    operations: ALL,
    columns: ['downloadedAt', 'status', 'contentSha256', 'contentViewKey', 'contentSince'],
    word: 'file',
    key: 'retailerId',
  },
  { table: 'versions', operations: ['update', 'delete'], word: 'version', key: 'id' },
  {
    table: 'compressedFiles',
    operations: ['update', 'delete'],
    columns: ['status', 'requestedAt', 'gzipSha256', 'gzipBytes', 'brSha256', 'brBytes'],
    word: 'copies',
    key: 'sha256',
  },
]

/** Records also what changes the answers to shops, so that they are remembered until then. */
export const rememberedReadsMigration: Migration = {
  up: (db: Kysely<unknown>) => recordChanges(db, RECORDED),
}
