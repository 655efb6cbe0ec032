import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { overlayInput } from '../../../../shared/schemas/overlay'
import { createSecretBox, type SecretBox } from '../../../secrets/secret-box'
import { prepareDatabase } from '../../../start/prepare-database'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { putWebhook } from '../../../testing/fixtures/webhooks'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { createWebhook, listWebhooks } from '../../alerting/webhooks/webhooks'
import { listConnections, updateConnection } from '../../catalogue/connections/connections'
import type { UserRecord } from '../../people/accounts/users.queries'
import { describeMissingKeys } from './missing-keys'
import { resealAll } from './sealing'

const PATH = '/feed.csv?key=open-sesame'
const OVERLAY_PATH = '/stock.csv?key=open-sesame'
const PATHS = [OVERLAY_PATH, PATH]
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  sourceServer = await startSourceServer()
  for (const path of PATHS) sourceServer.set(path, { body: 'sku,qty\r\n1,5\r\n' })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

/** As after a restart with other keys. */
const useKeys = (box: SecretBox) => void Object.assign(deps.secrets, box)

const readSecrets = async () => ({
  configs: await deps.db
    .selectFrom('connections')
    .select(['config', 'overlay'])
    .orderBy('id')
    .execute(),
  webhooks: await deps.db
    .selectFrom('webhooks')
    .select(['url', 'sealedUrl', 'sealedSecret'])
    .orderBy('id')
    .execute(),
})

const auth = { type: 'bearer', token: 'hunter2' } as const
/** A source and an overlay with credentials, and a webhook, of the supplier. */
async function addSecrets() {
  const { id } = await createSupplierConnection(deps, supplier, sourceServer.url(PATH))
  const overlay = overlayInput.parse({ url: sourceServer.url(OVERLAY_PATH), auth })
  const config = { url: sourceServer.url(PATH), auth }
  await updateConnection(deps, supplier, { id, config, overlay })
  const kinds = ['feed.failed' as const]
  await createWebhook(deps, supplier, { url: 'https://a.example/s3cr3t', kinds, isActive: true })
  await deps.queue.idle()
  sourceServer.requests.length = 0
}

describe('what an older version has stored', () => {
  /** As if the address had not been encrypted. */
  async function storePlainly() {
    const { configs } = await readSecrets()
    for (const { config, overlay } of configs) {
      const { sealedUrl: _, ...rest } = config
      const { sealedUrl: __, ...others } = overlay!
      const plain = {
        config: { ...rest, url: sourceServer.url(PATH) },
        overlay: { ...others, url: sourceServer.url(OVERLAY_PATH) },
      }
      await deps.db.updateTable('connections').set(plain).execute()
    }
    await deps.db
      .updateTable('webhooks')
      .set({ url: 'https://a.example/s3cr3t', sealedUrl: null })
      .execute()
  }

  it('is encrypted at the start, and works on; the next start changes nothing', async () => {
    await addSecrets()
    await storePlainly()
    await prepareDatabase(deps, { report: () => undefined })
    const stored = await readSecrets()
    expect(JSON.stringify(stored)).not.toMatch(/open-sesame|s3cr3t/)
    await prepareDatabase(deps, { report: () => undefined })
    expect(await readSecrets()).toEqual(stored)
    const [connection] = await listConnections(deps, supplier)
    expect(connection?.config.url).toBe(sourceServer.url(PATH))
    expect(connection?.overlay?.url).toBe(sourceServer.url(OVERLAY_PATH))
    expect((await listWebhooks(deps, supplier))[0]?.url).toBe('https://a.example/s3cr3t')
    deps.clock.advance(3_600_000)
    await deps.work()
    expect(sourceServer.requests.map(({ path }) => path)).toEqual(PATHS)
    for (const { headers } of sourceServer.requests) {
      expect(headers.authorization).toBe('Bearer hunter2')
    }
  })

  it('is encrypted also when the key of the credentials is missing', async () => {
    await addSecrets()
    await storePlainly()
    useKeys(createSecretBox(NEW))
    await prepareDatabase(deps, { report: () => undefined })
    expect(JSON.stringify(await readSecrets())).not.toMatch(/open-sesame|s3cr3t/)
    const [connection] = await listConnections(deps, supplier)
    expect(connection?.config.url).toBe(sourceServer.url(PATH))
    expect(connection?.overlay?.url).toBe(sourceServer.url(OVERLAY_PATH))
  })

  it('stays as it is where an address has no place for a secret', async () => {
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await prepareDatabase(deps, { report: () => undefined })
    const { configs } = await readSecrets()
    expect(configs).toEqual([{ config: { url: sourceServer.url('/feed.csv') }, overlay: null }])
  })

  it('is encrypted in every page of rows', async () => {
    const { id } = await createSupplierUser(deps)
    for (let count = 0; count < 101; count++) await putWebhook(deps, id)
    await prepareDatabase(deps, { report: () => undefined })
    const { webhooks } = await readSecrets()
    expect(webhooks.filter(({ sealedUrl }) => sealedUrl === null)).toEqual([])
    expect((await listWebhooks(deps, { ...supplier, id })).at(-1)?.url).toBe(
      'http://127.0.0.1:9/hook',
    )
  })
})

describe('another encryption key', () => {
  it('replaces the one before, which is then not needed any more', async () => {
    useKeys(createSecretBox(OLD))
    await addSecrets()
    const before = await readSecrets()
    useKeys(createSecretBox(NEW, OLD))
    expect(await describeMissingKeys(deps)).toEqual([])

    const all = { sealed: 1, unreadable: [] }
    expect(await resealAll(deps)).toMatchObject({ connections: all, webhooks: all })
    useKeys(createSecretBox(NEW))
    const none = { sealed: 0, unreadable: [] }
    expect(await resealAll(deps)).toMatchObject({ connections: none, webhooks: none })
    expect(JSON.stringify(await readSecrets())).not.toContain(createSecretBox(OLD).keyId)
    expect(JSON.stringify(before)).not.toContain(deps.secrets.keyId)

    expect(await describeMissingKeys(deps)).toEqual([])
    expect((await listWebhooks(deps, supplier))[0]?.url).toBe('https://a.example/s3cr3t')
    deps.clock.advance(3_600_000)
    await deps.work()
    expect(sourceServer.requests.map(({ path }) => path)).toEqual(PATHS)
    for (const { headers } of sourceServer.requests) {
      expect(headers.authorization).toBe('Bearer hunter2')
    }
  })

  it('replaces that of an overlay whose file has no secret', async () => {
    useKeys(createSecretBox(OLD))
    const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    const url = sourceServer.url(OVERLAY_PATH)
    await updateConnection(deps, supplier, { id, overlay: overlayInput.parse({ url }) })
    const missing = expect.stringContaining('The addresses or credentials of 1 connection')
    useKeys(createSecretBox(NEW))
    expect(await describeMissingKeys(deps)).toEqual([missing])
    useKeys(createSecretBox(NEW, OLD))
    expect(await resealAll(deps)).toMatchObject({ connections: { sealed: 1 } })
    useKeys(createSecretBox(NEW))
    expect((await listConnections(deps, supplier))[0]?.overlay?.url).toBe(url)
  })

  it('leaves what it cannot read as it is, and counts it with its key', async () => {
    useKeys(createSecretBox(OLD))
    await addSecrets()
    const before = await readSecrets()
    useKeys(createSecretBox(NEW))
    const failed = { sealed: 0, unreadable: [createSecretBox(OLD).keyId] }
    expect(await resealAll(deps)).toMatchObject({ connections: failed, webhooks: failed })
    expect(await readSecrets()).toEqual(before)
  })
})
