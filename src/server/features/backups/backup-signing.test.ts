import { buffer } from 'node:stream/consumers'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Deps } from '../../domain/deps'
import { checkSignature } from '../../storage/backup-signature'
import { openFileDeps, runBackup } from '../../testing/stock'
import { TEST_KEY, type TestDeps } from '../../testing/test-deps'

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
})
afterEach(() => deps.close())

describe('a backup', () => {
  it('is signed with the key of its installation, which is not in it', async () => {
    await runBackup(deps)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.signature?.keyId).toBe(deps.secrets.keyId)
    expect(checkSignature([deps.secrets], backup!.manifest)).toBe('valid')
    const archive = await buffer(backup!.openArchive())
    expect(archive.includes(TEST_KEY)).toBe(false)
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(archive.includes(TEST_KEY.toString(form))).toBe(false)
    }
  })

  it('is not listed when its manifest is not on the disk as it was signed', async () => {
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
      'The backup is damaged: its manifest is not what was written',
    )
    expect(await deps.backups.list()).toEqual([])
  })

  it('is not listed when no restore would take its schema', async () => {
    await sql`create index mine on users (role)`.execute(deps.db)
    await expect(runBackup(deps)).rejects.toThrow(
      'the database has another schema than the product makes: index mine',
    )
    expect(await deps.backups.list()).toEqual([])
  })
})
