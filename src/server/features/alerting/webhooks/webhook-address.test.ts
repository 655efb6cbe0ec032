import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSecretBox } from '../../../secrets/secret-box'
import { createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { recordLog, type LogRecorder } from '../../../testing/fixtures/log-lines'
import { startHookServer, type HookServer } from '../../../testing/servers/hook-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { describeMissingKeys } from '../../operations/sealing/missing-keys'
import type { UserRecord } from '../../people/accounts/users.queries'
import { listWebhookLog, sendTest } from './webhook-log'
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks'

const kinds = ['feed.failed' as const]

let hooks: HookServer
let log: LogRecorder
let deps: TestDeps
let supplier: UserRecord
let id: number
let url: string

beforeEach(async () => {
  hooks = await startHookServer()
  log = recordLog()
  deps = await openTestDeps({ fetchAllow: [hooks.host] }, { logger: log.logger })
  supplier = await createSupplierUser(deps)
  url = `http://${hooks.host}/s3cr3t`
  ;({ id } = await createWebhook(deps, supplier, { url, kinds, isActive: true }))
})
afterEach(async () => {
  await deps.close()
  await hooks.close()
})

const maskOf = () => `http://${hooks.host}/••••••`
const readRow = () => deps.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()

async function shownTo(actor: Parameters<typeof listWebhooks>[1]) {
  return (await listWebhooks(deps, actor)).map((webhook) => webhook.url)
}

describe('the address of a webhook', () => {
  it('is called whole, and stored and logged nowhere, however it looks', async () => {
    await sendTest(deps, supplier, id)
    await deps.work()
    expect(hooks.received.map(({ path }) => path)).toEqual(['/s3cr3t'])
    const tables = ['webhooks', 'deliveries', 'events', 'auditEntries'] as const
    const rows = await Promise.all(
      tables.map((table) => deps.db.selectFrom(table).selectAll().execute()),
    )
    expect(JSON.stringify(rows) + log.text()).not.toContain('s3cr3t')
    // Requested by a process of an older version, it must not answer 200: the event would be lost.
    const stored = await readRow()
    expect(stored.url).toBe(`http://${hooks.host}/hidden-address-of-a-newer-version`)
  })

  it('is shown to its owner, and masked to who views the product as the owner', async () => {
    const viewAs = { by: await createAdmin(deps), endsAt: deps.clock.now() + 1 }
    expect(await shownTo(supplier)).toEqual([url])
    expect(await shownTo({ ...supplier, viewAs })).toEqual([maskOf()])
  })

  it('is kept when it is sent back, masked or whole, and told in the audit log only when it changes', async () => {
    const { sealedUrl } = await readRow()
    for (const again of [url, maskOf()]) {
      await updateWebhook(deps, supplier, { id, url: again, kinds, isActive: true })
      expect((await readRow()).sealedUrl).toBe(sealedUrl)
    }
    const next = `http://${hooks.host}/0th3r`
    await updateWebhook(deps, supplier, { id, url: next, kinds, isActive: true })
    expect(await shownTo(supplier)).toEqual([next])
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    const { action, changes, subjectName } = entries.at(-1)!
    expect([entries.length, action, subjectName]).toEqual([2, 'webhook.update', hooks.host])
    expect(changes).toEqual([{ field: 'address', before: maskOf(), after: maskOf() }])
    await expect(
      updateWebhook(deps, supplier, { id, url: 'http://a.example/••••••', kinds, isActive: true }),
    ).rejects.toMatchObject({ code: 'INVALID', field: 'url' })
  })

  it('cannot be called without its key; the webhook can be deleted and added again', async () => {
    const { keyId } = deps.secrets
    Object.assign(deps.secrets, createSecretBox(Buffer.alloc(32, 99)))
    expect(await shownTo(supplier)).toEqual([maskOf()])
    expect(await describeMissingKeys(deps)).toEqual([
      expect.stringMatching(`The addresses or secrets of 1 webhook .* key ${keyId}, `),
    ])
    await updateWebhook(deps, supplier, { id, url: maskOf(), kinds, isActive: false })
    await sendTest(deps, supplier, id)
    await deps.work()
    expect(hooks.received).toHaveLength(0)
    expect((await listWebhookLog(deps, supplier, id))[0]?.answer).toBe(
      'Its address or secret cannot be read: delete the webhook and add it again',
    )
    await deleteWebhook(deps, supplier, id)
    await createWebhook(deps, supplier, { url, kinds, isActive: true })
    expect(await describeMissingKeys(deps)).toEqual([])
  })
})
