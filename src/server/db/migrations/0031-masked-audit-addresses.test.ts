import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrateToEarlier, migrateToLatest } from '../migrate'
import { openDatabase } from '../open'

const EARLIER_MIGRATIONS = 25

it('keeps only the origin of the addresses of sources in the audit log', async () => {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, EARLIER_MIGRATIONS)
  const insert = (noun: string, changes: object | null) =>
    sql`insert into "auditEntries" (at, action, noun, changes, origin)
      values (1, ${`${noun}.update`}, ${noun}, ${changes && JSON.stringify(changes)}, 'web')`.execute(
      db,
    )
  const other = { field: 'name', before: 'A', after: 'https://a.example/name' }
  await insert('connection', [
    other,
    {
      field: 'url',
      before: 'https://a.example/s3cr3t',
      after: `https://b.example:8443/${'s3cr3t'.repeat(40)}…`,
    },
  ])
  await insert('connection', [{ field: 'url', before: null, after: 'cut off s3cr3t' }])
  await insert('connection', [{ field: 'urlQuery', before: '••••••', after: null }])
  await insert('connection', null)
  await insert('retailer', [{ field: 'url', before: null, after: 'https://c.example/page' }])
  for (let count = 0; count < 1_000; count++) {
    await insert('connection', [{ field: 'url', before: null, after: 'https://a.example/s3cr3t' }])
  }
  await migrateToLatest(db)
  const rows = await db.selectFrom('auditEntries').select('changes').orderBy('id').execute()
  expect(rows.slice(0, 5).map(({ changes }) => changes)).toEqual([
    [
      other,
      { field: 'url', before: 'https://a.example/••••••', after: 'https://b.example:8443/••••••' },
    ],
    [{ field: 'url', before: null, after: '••••••' }],
    [{ field: 'urlQuery', before: '••••••', after: null }],
    null,
    [{ field: 'url', before: null, after: 'https://c.example/page' }],
  ])
  expect(JSON.stringify(rows)).not.toContain('s3cr3t')
  await db.destroy()
})
