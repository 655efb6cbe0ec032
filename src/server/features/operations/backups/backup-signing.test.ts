import { buffer } from 'node:stream/consumers'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Deps } from '../../../domain/deps'
import { checkSignature } from '../../../storage/backup-signature'
import { openFileDeps, runBackup } from '../../../testing/fixtures/stock'
import { TEST_KEY, type TestDeps } from '../../../testing/stages/test-deps'

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
})
afterEach(() => deps.close())

describe('a backup', () => {
  it('is signed with the key of its installation, and does not contain that key', async () => {
    await runBackup(deps)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.signature?.keyId).toBe(deps.secrets.keyId)
    expect(checkSignature([deps.secrets], backup!.manifest)).toBe('valid')
    const archive = await buffer((await backup!.openArchive())!)
    expect(archive.includes(TEST_KEY)).toBe(false)
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(archive.includes(TEST_KEY.toString(form))).toBe(false)
    }
  })

  it('is not listed when the manifest on disk differs from the signed one', async () => {
    const backups: Deps['backups'] = {
      ...deps.backups,
      async createDraft(owner) {
        const draft = await deps.backups.createDraft(owner)
        return {
          ...draft,
          writeManifest: (manifest) => draft.writeManifest({ ...manifest, productVersion: '0' }),
        }
      },
    }
    await expect(runBackup({ ...deps, backups })).rejects.toThrow(
      'The backup is damaged: its manifest was changed',
    )
    expect(await deps.backups.list()).toEqual([])
  })

  it('is not listed when restore would refuse its schema', async () => {
    await sql`create index mine on users (role)`.execute(deps.db)
    await expect(runBackup(deps)).rejects.toThrow(
      'the database schema is not the product’s: index mine',
    )
    expect(await deps.backups.list()).toEqual([])
  })
})
