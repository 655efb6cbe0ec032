import { setImmediate } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Config } from '../config'
import {
  changeDatabase,
  makeSampleBackup,
  makeTarget,
  repack,
  replaceDatabase,
  restore,
  type SampleBackup,
} from '../testing/backups'
import { makeEndlessDatabase } from '../testing/endless-database'

const TRIGGER = `create trigger promote after insert on users
  begin update users set role = 'SUPER_ADMIN' where id = new.id; end;`

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
/** A place where no key can tell whose the backup is. */
let withoutKey: Config
let changed: string

beforeAll(async () => {
  backup = await makeSampleBackup()
  changed = `${backup.archive}.changed`
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  withoutKey = { ...target.config, encryptionKey: undefined }
})
afterEach(() => target.remove())

const change = (edit: Parameters<typeof repack>[2]) => repack(backup.archive, changed, edit)

describe('a database that is not as the product makes it', () => {
  it.each([
    ['a trigger', TRIGGER, 'trigger promote'],
    ['a view', 'create view everything as select * from users', 'view everything'],
    ['a table', 'create table notes (text)', 'table notes'],
    ['an index', 'create index userRoles on users (role)', 'index userRoles'],
    ['a virtual table', 'create virtual table texts using fts5 (text)', 'table texts'],
    ['another column', 'alter table users add column note', 'table users'],
    ['an index less', 'drop index attemptsSubject', 'index attemptsSubject'],
    [
      'a view in the place of a table',
      'drop table attempts; create view attempts as select * from users',
      'view attempts',
    ],
    ['a name that a terminal obeys', 'create table "\u001b[2J\u202e" (text)', 'table ?[2J?'],
  ])('is refused on nobody’s word: %s', async (_what, statements, named) => {
    await change(changeDatabase(statements))
    await expect(restore(withoutKey, changed, { trust: true })).rejects.toThrow(
      `The backup is damaged: the database schema is not the product’s: ${named}`,
    )
  })

  it('may have statistics for SQLite’s planner', async () => {
    await change(changeDatabase('analyze'))
    const lines = await restore(withoutKey, changed, { trust: true })
    expect(lines).toContain(`${backup.name} is restored. Everybody has to sign in again.`)
  })

  it('holds the restore up no longer than it may take', async () => {
    await change(
      replaceDatabase(() => ({
        content: makeEndlessDatabase(),
        rowCounts: backup.manifest.database.rowCounts,
      })),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const restoring = restore(withoutKey, changed, { trust: true }).catch((error: Error) => error)
    const isOver = () => Promise.race([restoring.then(() => true), setImmediate(false)])
    while (!(await isOver())) vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    expect(await restoring).toHaveProperty(
      'message',
      'The backup is damaged: reading the database failed: it takes too long',
    )
  })
})
