import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from '../config'
import { migrateToLatest } from '../db/migrate'
import { openDatabase } from '../db/open'
import { openDeps } from '../deps'
import { createLogger } from '../observability/logger'
import { createSecretBox } from '../secrets/secret-box'
import type { BackupManifest } from '../storage/backup-manifest'
import {
  changeDatabase,
  editManifest,
  makeSampleBackup,
  makeTarget,
  repack,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { TEST_KEY } from '../testing/stages/test-deps'

const FOREIGN_ADMINISTRATOR = `insert into users (username, usernameKey, role, createdAt)
  values ('mallory', 'mallory', 'SUPER_ADMIN', 0);`
const KEY_ID = createSecretBox(TEST_KEY).keyId
const CHANGED = `This backup cannot be used: it was changed after it was made: its signature does not match key ${KEY_ID}`

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
/** The target's configuration with the key of the backup, and without any key. */
let withKey: Config
let withoutKey: Config
let changed: string

beforeAll(async () => {
  backup = await makeSampleBackup()
  changed = `${backup.archive}.changed`
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  withKey = target.config
  withoutKey = { ...withKey, encryptionKey: undefined }
})
afterEach(() => target.remove())

const change = (edit: Parameters<typeof repack>[2]) => repack(backup.archive, changed, edit)

async function listUsernames() {
  const db = openDatabase(withKey.databaseFile)
  const users = await db.selectFrom('users').select('username').execute()
  await db.destroy()
  return users.map(({ username }) => username)
}

/** Stores the key in the data folder, as an installation without ENCRYPTION_KEY does. */
async function putKeyFile(key = TEST_KEY) {
  await mkdir(withKey.dataDir, { recursive: true })
  await writeFile(withKey.encryptionKeyFile, key.toString('base64'))
}

describe('a backup with an injected administrator and a matching manifest', () => {
  beforeEach(() => change(changeDatabase(FOREIGN_ADMINISTRATOR)))

  it.each([{ trust: false }, { trust: true }])(
    'is refused when its key is configured: %j',
    async (options) => {
      await expect(restore(withKey, changed, options)).rejects.toThrow(CHANGED)
    },
  )

  it.each([{ trust: false }, { trust: true }])(
    'is refused when its key is in the data folder: %j',
    async (options) => {
      await putKeyFile()
      await expect(restore(withoutKey, changed, options)).rejects.toThrow(CHANGED)
      const configured = { ...withKey, encryptionKey: randomBytes(32) }
      await expect(restore(configured, changed, options)).rejects.toThrow(CHANGED)
    },
  )

  it('does not replace the data of the installation that made it', async () => {
    await putKeyFile()
    const { deps, close } = await openDeps(withoutKey, createLogger({ logLevel: 'silent' }))
    await migrateToLatest(deps.db)
    await close()
    const options = { replace: true, trust: true }
    await expect(restore(withoutKey, changed, options)).rejects.toThrow(CHANGED)
    expect(await listUsernames()).toEqual([])
  })

  it('is refused without its key, with a message that shows the --trust command', async () => {
    await expect(restore(withoutKey, changed)).rejects.toThrow(
      `This backup cannot be used: it is signed with key ${KEY_ID}, which is not available here. ` +
        'Provide that key as ENCRYPTION_KEY, as ENCRYPTION_KEY_PREVIOUS or in ' +
        'DATA_DIR/encryption-key. If you know that ' +
        'nobody else could have changed it, restore it anyway:\n' +
        `  npm run restore -- ${changed} --trust`,
    )
    expect(await restore(withoutKey, changed, { trust: true })).toContain(
      `Accepted because of --trust: it is signed with key ${KEY_ID}, which is not available here`,
    )
    expect(await listUsernames()).toContain('mallory')
  })
})

describe('an unchanged backup', () => {
  it('is restored when its key is the one before, and a changed one is refused', async () => {
    const rotated = { encryptionKey: randomBytes(32), previousEncryptionKey: TEST_KEY }
    await change(changeDatabase(FOREIGN_ADMINISTRATOR))
    await expect(restore({ ...withKey, ...rotated }, changed)).rejects.toThrow(CHANGED)
    expect(await restore({ ...withKey, ...rotated }, backup.archive)).toContain(
      `Signed with the available key ${KEY_ID}`,
    )
  })

  it('is restored when its key is in an otherwise empty data folder', async () => {
    await putKeyFile()
    expect(await restore(withoutKey, backup.archive)).toContain(
      `Signed with the available key ${KEY_ID}`,
    )
  })

  it('is restored only with --trust when the target has another key', async () => {
    await putKeyFile(randomBytes(32))
    await expect(restore(withoutKey, backup.archive)).rejects.toThrow(
      `signed with key ${KEY_ID}, which is not available here`,
    )
    await restore(withoutKey, backup.archive, { trust: true })
  })

  it('is restored when its manifest is formatted differently', async () => {
    await change(editManifest((manifest) => manifest))
    await restore(withKey, changed)
    expect(await listUsernames()).toContain('shop-2')
  })
})

describe('an unsigned backup', () => {
  beforeEach(() => change(editManifest((manifest) => ({ ...manifest, signature: undefined }))))

  it('is refused with or without a key', async () => {
    for (const config of [withKey, withoutKey]) {
      await expect(restore(config, changed, { replace: true })).rejects.toThrow(
        'This backup cannot be used: it is not signed: an older version made it, or its signature ' +
          'was removed. If you know that nobody else could have changed it, restore it ' +
          `anyway:\n  npm run restore -- ${changed} --replace --trust`,
      )
    }
  })

  it('is restored with --trust', async () => {
    await restore(withKey, changed, { trust: true })
    expect(await listUsernames()).toContain('shop-2')
  })
})

const OTHER_HASH = '0'.repeat(64)
const edits: [what: string, edit: (manifest: BackupManifest) => unknown][] = [
  ['the product version', (manifest) => ({ ...manifest, productVersion: '9.9.9' })],
  [
    'the time of the backup',
    (manifest) => ({ ...manifest, createdAt: '2027-01-01T00:00:00.000Z' }),
  ],
  [
    'the time of its verification',
    (manifest) => ({ ...manifest, verifiedAt: '2027-01-01T00:00:00.000Z' }),
  ],
  ['the schema', ({ migrations, ...rest }) => ({ ...rest, migrations: migrations.slice(0, 1) })],
  [
    'the hash of the database',
    ({ database, ...rest }) => ({ ...rest, database: { ...database, sha256: OTHER_HASH } }),
  ],
  [
    'the size of the database',
    ({ database, ...rest }) => ({ ...rest, database: { ...database, sizeBytes: 1 } }),
  ],
  [
    'a row count',
    ({ database, ...rest }) => ({
      ...rest,
      database: { ...database, rowCounts: { ...database.rowCounts, users: 1 } },
    }),
  ],
  ['the list of files', ({ files, ...rest }) => ({ ...rest, files: files.slice(1) })],
  [
    'the hash of a file',
    ({ files: [first, ...files], ...rest }) => ({
      ...rest,
      files: [{ ...first, sha256: OTHER_HASH }, ...files],
    }),
  ],
  [
    'the size of a file',
    ({ files: [first, ...files], ...rest }) => ({
      ...rest,
      files: [{ ...first, sizeBytes: 1 }, ...files],
    }),
  ],
  ['the order of files', ({ files, ...rest }) => ({ ...rest, files: files.toReversed() })],
  [
    'the signature',
    ({ signature, ...rest }) => ({ ...rest, signature: { ...signature, hmac: OTHER_HASH } }),
  ],
]

describe('a changed manifest', () => {
  it.each(edits)('does not match its signature: %s', async (_what, edit) => {
    await change(editManifest(edit))
    await expect(restore(withKey, changed, { trust: true })).rejects.toThrow(CHANGED)
  })

  it('is invalid with an unknown field, which the signature would not cover', async () => {
    await change(editManifest((manifest) => ({ ...manifest, note: 'trust me' })))
    await expect(restore(withKey, changed, { trust: true })).rejects.toThrow('it has no manifest')
  })
})
