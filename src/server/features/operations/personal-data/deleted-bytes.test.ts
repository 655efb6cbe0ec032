import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { ACCOUNT_GRACE_DAYS } from '../../../../shared/constants'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import {
  ADDRESS,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { MARK, putMarkedCompany } from '../../../testing/fixtures/personal-data'
import { openFileDeps } from '../../../testing/fixtures/stock'
import { cleanUp } from '../../../testing/stages/clean-up'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { toCompanyProfile, updateCompanyProfile } from '../../people/accounts/company-profile'
import { findActor } from '../../people/accounts/find-actor'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordUserAudit } from '../../people/audit/record-audit'
import { deleteAccount } from './account-deletion'

let deps: TestDeps
beforeEach(async () => {
  deps = await openFileDeps()
})
afterEach(() => deps.close())

/** How often the mark is in each file of the database, with its log. */
async function countMarks(mark = MARK): Promise<Record<string, number>> {
  const folder = dirname(deps.config.databaseFile)
  const counts: Record<string, number> = {}
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(deps.config.databaseFile))) continue
    counts[name] = (await readFile(join(folder, name), 'latin1')).split(mark).length - 1
  }
  return counts
}
const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

async function remove({ id }: { id: number }): Promise<void> {
  const actor = (await findActor(deps.db, id))!
  const from = { address: ADDRESS, sessionIdHash: '' }
  await deleteAccount(deps, actor, { confirmation: PASSWORD }, from)
}

/** So many rows among those of others that pages are split and joined, and texts that were changed since. */
async function fillPages(users: readonly UserRecord[]): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    await inTransaction(deps.db, async (trx) => {
      for (const user of users) {
        const after = { companyName: `${user.username} ${'x'.repeat((round * 37) % 900)}` }
        await recordUserAudit(trx, deps, user, { action: 'supplier.update', before: {}, after })
      }
    })
  }
}

it('a deleted company is in no byte of the database file and its log, nor is what it had changed before', async () => {
  const { supplier } = await putMarkedCompany(deps, 'sku\n1\n')
  const other = await createSupplierUser(deps)
  const actor = (await findActor(deps.db, supplier.id))!
  const profile = { ...toCompanyProfile(actor), companyName: `${MARK} renamed ${'x'.repeat(100)}` }
  await updateCompanyProfile(deps, actor, profile)
  await fillPages([supplier, other])
  expect(total(await countMarks())).toBeGreaterThan(100)
  await remove(supplier)
  deps.clock.advance(ACCOUNT_GRACE_DAYS * DAY_MS + MINUTE_MS)
  await cleanUp(deps)
  const counts = await countMarks()
  expect(Object.keys(counts)).toContain(basename(deps.config.databaseFile))
  expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((name) => [name, 0])))
})

it('nor is a person who has deleted the account', async () => {
  const supplier = await createSupplierUser(deps)
  const member = await createMember(deps, supplier, 'EDITOR')
  const displayName = `${MARK} person`
  await deps.db.updateTable('users').set({ displayName }).where('id', '=', member.id).execute()
  await deps.db
    .updateTable('users')
    .set({ displayName: null })
    .where('id', '=', member.id)
    .execute()
  expect(total(await countMarks())).toBeGreaterThan(0)
  await remove(member)
  expect(total(await countMarks())).toBe(0)
})

it('every connection that writes overwrites what it deletes', async () => {
  const { rows } = await inTransaction(deps.db, (trx) =>
    sql<{ secure_delete: number }>`pragma secure_delete`.execute(trx),
  )
  expect(rows).toEqual([{ secure_delete: 1 }])
})
