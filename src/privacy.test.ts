import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { engineOf } from './server/db/engine'
import { migrateToLatest } from './server/db/migrate'
import { openDatabase } from './server/db/open'
import {
  DOWNLOAD_LIFETIME_MS,
  KEPT_DOWNLOADS,
} from './server/features/distribution/downloads/recent-downloads'
import {
  MAX_AGE_DAYS,
  MAX_VERSIONS,
} from './server/features/distribution/stored-files/storage-quota'
import {
  EVENT_LIFETIME_MS,
  RUN_LIFETIME_MS,
} from './server/features/operations/maintenance/clean-up-task'
import { GOOGLE_SIGN_IN_LIFETIME_MS } from './server/features/people/accounts/google-sign-in'
import { KNOWN_ADDRESS_LIFETIME_MS } from './server/features/people/accounts/login-attempts'
import { PASSWORD_LINK_MS } from './server/features/people/recovery/recovery'
import { EXPIRED_KEY_DAYS } from './shared/api-keys'
import { ACCOUNT_GRACE_DAYS, KEPT_RECEIVED_FILES, VIEW_AS_MINUTES } from './shared/constants'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './shared/durations'
import { AUDIT_KEPT_DAYS, FAILED_SIGN_INS_KEPT_DAYS } from './shared/schemas/audit'

const text = readFileSync('docs/privacy.md', 'utf8')
const rows = new Map(
  [...text.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, table = '', what = '', , until = '']) => [table, { what, until }],
  ),
)

it('docs/privacy.md names every table, and no other', async () => {
  const db = openDatabase(':memory:')
  await migrateToLatest(db)
  const tables = (await engineOf(db).tables.list(db)).map(({ name }) => name)
  await db.destroy()
  expect([...rows.keys()].toSorted()).toEqual(tables.toSorted())
})

it.each([
  ['auditEntries', `${AUDIT_KEPT_DAYS} days; failed sign-ins ${FAILED_SIGN_INS_KEPT_DAYS} days`],
  ['knownAddresses', `${KNOWN_ADDRESS_LIFETIME_MS / DAY_MS} days`],
  ['signInPlaces', `${KNOWN_ADDRESS_LIFETIME_MS / DAY_MS} days`],
  ['apiKeys', `${EXPIRED_KEY_DAYS} days`],
  ['events', `${EVENT_LIFETIME_MS / DAY_MS} days`],
  ['notifications', `${EVENT_LIFETIME_MS / DAY_MS} days`],
  ['deliveries', `${EVENT_LIFETIME_MS / DAY_MS} days`],
  ['syncRuns', `${RUN_LIFETIME_MS / DAY_MS} days`],
  ['invitations', `${RUN_LIFETIME_MS / DAY_MS} days`],
  ['cronJobRuns', `${RUN_LIFETIME_MS / DAY_MS} days`],
  ['dispatches', `${DOWNLOAD_LIFETIME_MS / DAY_MS} days`],
  ['recentDownloads', `${DOWNLOAD_LIFETIME_MS / DAY_MS} days`],
  ['versions', `the newest ${MAX_VERSIONS}, for ${MAX_AGE_DAYS} days`],
  ['receivedFiles', `the newest ${KEPT_RECEIVED_FILES} `],
  ['viewings', `${VIEW_AS_MINUTES} minutes`],
  ['googleSignIns', `${GOOGLE_SIGN_IN_LIFETIME_MS / MINUTE_MS} minutes`],
])('docs/privacy.md says how long %s are kept: %s', (table, until) => {
  expect(rows.get(table)?.until).toContain(until)
})

it('docs/privacy.md says what else the code has as numbers', () => {
  expect(PASSWORD_LINK_MS).toBe(HOUR_MS)
  expect(rows.get('accountMails')?.until).toContain('an hour')
  expect(rows.get('recentDownloads')?.what).toContain(`newest ${KEPT_DOWNLOADS} downloads`)
  expect(text).toContain(`deleted ${ACCOUNT_GRACE_DAYS} days after`)
})
