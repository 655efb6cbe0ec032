import { copyFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { ACCOUNT_GRACE_DAYS } from '../../shared/constants'
import { DAY_MS, HOUR_MS } from '../../shared/durations'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { cleanStorage } from '../features/distribution/stored-files/storage-cleaning'
import { deleteAccount } from '../features/operations/personal-data/account-deletion'
import { findActor } from '../features/people/accounts/find-actor'
import { removePerson } from '../features/people/company-people/company-people'
import { createLogger } from '../observability/logger'
import { prepareDatabase } from '../start/prepare-database'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { makeTarget, restore } from '../testing/fixtures/backups'
import { ADDRESS, createMember, createSupplierUser, PASSWORD } from '../testing/fixtures/factories'
import {
  countMarkedFiles,
  findMarked,
  MARK,
  putMarkedCompany,
} from '../testing/fixtures/personal-data'
import { openFileDeps, runBackup } from '../testing/fixtures/stock'
import { cleanUp } from '../testing/stages/clean-up'
import type { TestDeps } from '../testing/stages/test-deps'

let deps: TestDeps
let target: Awaited<ReturnType<typeof makeTarget>>

beforeEach(async () => {
  deps = await openFileDeps()
  target = await makeTarget()
})
afterEach(async () => {
  await target.remove()
  await deps.close()
})

async function remove({ id }: { id: number }): Promise<void> {
  const actor = (await findActor(deps.db, id))!
  await deleteAccount(
    deps,
    actor,
    { confirmation: PASSWORD },
    { address: ADDRESS, sessionIdHash: '' },
  )
}

/** Restores a backup where accounts have been deleted since, and starts the product on it. */
async function startRestored(name: string) {
  const { config } = target
  const lines = await restore(config, `${deps.config.backupsDir}/${name}`)
  await copyFile(deps.config.deletedAccountsFile, config.deletedAccountsFile)
  const { deps: restored, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  const before = Object.keys(await findMarked(restored))
  await prepareDatabase(restored, { report: (line) => void lines.push(line) })
  return { restored, close, lines, before }
}

async function backUp(from: Deps): Promise<string> {
  await runBackup(from)
  return (await from.backups.list())[0]!.name
}

/** All bytes of a backup. */
async function readBackup(from: Deps, name: string): Promise<Buffer> {
  return buffer((await (await from.backups.find(name))!.openArchive())!)
}

it('deletes accounts again that were deleted since the backup, from every table, file and later backup', async () => {
  const { supplier, sharedFile } = await putMarkedCompany(deps, 'sku\n1\n')
  const bystander = await createSupplierUser(deps)
  await deps.db
    .updateTable('users')
    .set({ companyName: 'Bystander' })
    .where('id', '=', bystander.id)
    .execute()
  const name = await backUp(deps)
  expect((await readBackup(deps, name)).includes(MARK)).toBe(true)
  await remove(supplier)
  deps.clock.advance(ACCOUNT_GRACE_DAYS * DAY_MS + HOUR_MS)
  await cleanUp(deps)
  expect(await findMarked(deps)).toEqual({})
  const later = await backUp(deps)
  expect((await readBackup(deps, later)).includes(MARK)).toBe(false)

  const { restored, close, lines, before } = await startRestored(name)
  try {
    expect(before).toContain('users')
    expect(lines.at(-1)).toBe('Deleted again: 1 account, deleted since that backup')
    expect(await findMarked(restored)).toEqual({})
    await cleanStorage(restored, new AbortController().signal)
    expect(await countMarkedFiles(restored)).toBe(0)
    expect(await restored.files.has(sharedFile.sha256)).toBe(false)
    const users = await restored.db.selectFrom('users').select('companyName').execute()
    expect(users).toEqual([{ companyName: 'Bystander' }])
    const own = await backUp(restored)
    expect((await readBackup(restored, own)).includes(MARK)).toBe(false)
  } finally {
    await close()
  }
})

it.each([
  ['who have deleted their account', (person: { id: number }) => remove(person)],
  [
    'whom an owner has removed',
    async ({ id }: { id: number }, owner: { id: number }) =>
      removePerson(deps, (await findActor(deps.db, owner.id))!, { personId: id }),
  ],
])('deletes people of companies again %s, of a first login without the company', async (_, end) => {
  const { supplier, editor } = await putMarkedCompany(deps, 'sku\n1\n')
  const owner = await createMember(deps, supplier, 'OWNER')
  const name = await backUp(deps)
  await end(editor, owner)
  await end(supplier, owner)
  const { restored, close, lines } = await startRestored(name)
  try {
    expect(lines.at(-1)).toBe('Deleted again: 2 accounts, deleted since that backup')
    const gone = await findMarked(restored, [`${MARK} owner`, `${MARK} editor`])
    expect(gone).toEqual({})
    expect(await findActor(restored.db, editor.id)).toBeUndefined()
    expect(await findActor(restored.db, supplier.id)).toMatchObject({
      companyName: `${MARK} company`,
    })
    expect(await prepareAgain(restored)).toEqual([])
  } finally {
    await close()
  }
})

async function prepareAgain(restored: Deps): Promise<string[]> {
  const lines: string[] = []
  await prepareDatabase(restored, { report: (line) => void lines.push(line) })
  return lines
}

it('leaves an account that has got the id of a deleted one after the restore', async () => {
  const { supplier } = await putMarkedCompany(deps, 'sku\n1\n')
  const name = await backUp(deps)
  const { id, createdAt } = supplier
  await deps.deletedAccounts.add({ what: 'account', id, createdAt: createdAt + 1 })
  const { restored, close } = await startRestored(name)
  try {
    expect(await findActor(restored.db, id)).toMatchObject({ id })
  } finally {
    await close()
  }
})

it('starts while the place of deleted accounts does not answer, and deletes them an hour later', async () => {
  const { supplier, editor } = await putMarkedCompany(deps, 'sku\n1\n')
  const list = deps.deletedAccounts.list
  await deps.deletedAccounts.add({ what: 'account', id: editor.id, createdAt: editor.createdAt })
  deps.deletedAccounts.list = () => Promise.reject(new UnreachableStoreError('It does not answer'))
  expect(await prepareAgain(deps)).toEqual([])
  expect(await findActor(deps.db, editor.id)).toBeDefined()
  deps.deletedAccounts.list = list
  await cleanUp(deps)
  expect(await findActor(deps.db, editor.id)).toBeUndefined()
  expect(await findActor(deps.db, supplier.id)).toBeDefined()
})
