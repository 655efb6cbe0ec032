import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrateToEarlier, migrateToLatest } from '../migrate'
import { openDatabase } from '../open'

const EARLIER_MIGRATIONS = 13
const DAY = 86_400_000

it('begins with the downloads that are known, by retailer and day', async () => {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, EARLIER_MIGRATIONS)
  await sql`pragma foreign_keys = off`.execute(db)
  for (const [retailerId, versionId] of [
    [1, 7],
    [1, 8],
    [2, 7],
  ]) {
    await sql`insert into downloads
      (retailerId, connectionId, versionId, fileName, fileSize, downloadedAt, status)
      values (${retailerId}, 1, ${versionId}, ${`${versionId}.csv`}, 1, 1, 'ready')`.execute(db)
  }
  const pulls: [retailerId: number, pulledAt: number, fileName: string, client: string][] = [
    [1, 5 * DAY + 2, '8.csv', 'Wget'],
    [1, 5 * DAY + 1, '7.csv', 'curl'],
    [1, 6 * DAY, '8.csv', 'curl'],
    [2, 6 * DAY - 1, '7.csv', 'Python'],
  ]
  for (const [retailerId, pulledAt, fileName, client] of pulls) {
    await sql`insert into pulls (retailerId, pulledAt, fileName, dataAsOf, rowCount, sizeBytes, client)
      values (${retailerId}, ${pulledAt}, ${fileName}, 1, 1, 1, ${client})`.execute(db)
  }
  await migrateToLatest(db)
  const days = await db.selectFrom('pullDays').selectAll().orderBy('lastPulledAt').execute()
  expect(days.map((day) => Object.values(day))).toEqual([
    [1, 5, 2, 5 * DAY + 2, 8, 'Wget'],
    [2, 5, 1, 6 * DAY - 1, 7, 'Python'],
    [1, 6, 1, 6 * DAY, 8, 'curl'],
  ])
  await db.destroy()
})
