import { copyFile } from 'node:fs/promises'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { openDeps } from '../deps'
import { hashSecretToken } from '../domain/secret-token'
import { endApiKey } from '../features/people/api-keys/api-keys'
import { setPersonActive } from '../features/people/company-people/company-people'
import { createLogger } from '../observability/logger'
import { prepareDatabase } from '../start/prepare-database'
import { putApiKey } from '../testing/fixtures/api-key-samples'
import { makeTarget, restore } from '../testing/fixtures/backups'
import { createMember, createSupplierUser } from '../testing/fixtures/factories'
import { openFileDeps, runBackup } from '../testing/fixtures/stock'
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

it('API keys come back, but not those that were ended since the backup', async () => {
  const supplier = await createSupplierUser(deps)
  const member = await createMember(deps, supplier, 'EDITOR')
  const kept = await putApiKey(deps, supplier)
  const ended = await putApiKey(deps, supplier)
  const ofMember = await putApiKey(deps, member)
  await runBackup(deps)
  const [backup] = await deps.backups.list()
  await endApiKey(deps, supplier, { id: ended.id })
  await setPersonActive(deps, supplier, { personId: member.id, isActive: false })

  const { config } = target
  await restore(config, `${deps.config.backupsDir}/${backup!.name}`)
  await copyFile(deps.config.deletedAccountsFile, config.deletedAccountsFile)
  const { deps: restored, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    await prepareDatabase(restored, { report: () => undefined })
    const find = async ({ token }: { token: string }) =>
      (await restored.apiKeys.find(hashSecretToken(token)))?.actor?.id
    expect([await find(kept), await find(ended), await find(ofMember)]).toEqual([
      supplier.id,
      undefined,
      undefined,
    ])
  } finally {
    await close()
  }
})
