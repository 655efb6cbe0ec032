import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { createDiskDeletedAccounts } from './deleted-accounts'
import { describeDeletedAccounts } from './deleted-accounts.contract'

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-deleted-'))
  const path = join(folder, 'deleted-accounts')
  return { path, close: () => rm(folder, { recursive: true, force: true }) }
}

describeDeletedAccounts('deleted accounts on disk', async () => {
  const { path, close } = await openFolder()
  return { store: createDiskDeletedAccounts(path), other: createDiskDeletedAccounts(path), close }
})

it('keeps those after a line that a crash has cut off', async () => {
  const { path, close } = await openFolder()
  onTestFinished(close)
  const store = createDiskDeletedAccounts(path)
  await appendFile(path, 'account 12 17')
  const account = { what: 'account', id: 13, createdAt: 5 } as const
  await store.add(account)
  expect(await store.list()).toContainEqual(account)
})
