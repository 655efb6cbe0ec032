import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findDatabaseProblems, readDatabaseContent } from './database-content'
import { openDatabase, type Db } from './open'
import type { Snapshots } from './snapshots'

const SIGNAL = new AbortController().signal

/** Tests that the snapshots of every kind of database pass. */
export function describeSnapshots(
  title: string,
  open: () => Promise<{ db: Db; snapshots: Snapshots; close(): Promise<void> }>,
): void {
  describe(title, () => {
    let db: Db
    let snapshots: Snapshots
    let close: () => Promise<void>
    let folder: string
    let target: string

    beforeEach(async () => {
      ;({ db, snapshots, close } = await open())
      folder = await mkdtemp(join(tmpdir(), 'stockbridge-snapshots-'))
      target = join(folder, 'app.db')
      await writeFile(target, '')
    })
    afterEach(async () => {
      await close()
      await rm(folder, { recursive: true })
    })

    async function insertUsers(count: number): Promise<void> {
      const names = Array.from({ length: count }, (_, place) => `user ${place}`)
      const user = { role: 'SUPPLIER', isActive: false, createdAt: 0 } as const
      const rows = names.map((username) => ({ ...user, username, usernameKey: username }))
      await db.insertInto('users').values(rows).execute()
    }

    async function readUsers() {
      const copy = openDatabase(target)
      const users = await copy.selectFrom('users').select(['username', 'isActive']).execute()
      await copy.destroy()
      return users
    }

    it('have the rows as they were when the snapshot was written', async () => {
      await insertUsers(2)
      await snapshots.write(target, SIGNAL)
      await db.updateTable('users').set({ isActive: true, username: 'changed' }).execute()
      expect(await readUsers()).toEqual([
        { username: 'user 0', isActive: false },
        { username: 'user 1', isActive: false },
      ])
    })

    it('are complete databases, with the migrations that have run', async () => {
      await insertUsers(1)
      await snapshots.write(target, SIGNAL)
      expect(await findDatabaseProblems(target, SIGNAL)).toEqual([])
      const { migrations, rowCounts } = await readDatabaseContent(target, SIGNAL)
      expect(migrations).toContain('0001-initial')
      expect(rowCounts).toMatchObject({ users: 1, retailers: 0 })
    })

    it('are not larger than measured before, but for a few pages', async () => {
      await insertUsers(500)
      const { sizeBytes } = await snapshots.measure(SIGNAL)
      await snapshots.write(target, SIGNAL)
      // Rows are distributed over pages anew.
      const aFewPages = 16 * 4_096
      expect((await stat(target)).size).toBeLessThanOrEqual(sizeBytes + aFewPages)
    })

    it('are not written once their signal has fired', async () => {
      const reason = new Error('stopped')
      await expect(snapshots.write(target, AbortSignal.abort(reason))).rejects.toBe(reason)
      expect((await stat(target)).size).toBe(0)
    })
  })
}
